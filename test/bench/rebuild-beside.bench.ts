import { setTimeout as pause } from 'node:timers/promises';
import { projectionsRebuild } from '#ops/projections/projections-rebuild.js';
import { projections } from '#projections/index.js';
import { embeddedStores, openSignalHouse, type SignalHouse } from '../support/signal-house.js';
import { percentile, timed, type Bench } from './bench.js';
import { appendAll, detectionEvents, movementEvents, plainRead } from './rebuild-history.js';

const CHARGES = 20_000;
const EVENTS = 3 * CHARGES;
const WRITES_PER_SECOND = 200;
const UNDISTURBED_MS = 5_000;
const PATIENCE_MS = 60_000;

/** A rebuild of all read models in a running service: its cost for concurrent writers. */
export const rebuildBesideBench: Bench = {
  name: 'rebuild-beside',
  async run() {
    const stores = await embeddedStores();
    const house = await openSignalHouse(async () => stores);
    try {
      await appendAll(house.events, 'credits-1', CHARGES, movementEvents);
      await appendAll(house.events, 'signal-run-1', CHARGES, detectionEvents);
      await house.caughtUp();
      const plain = await plainRead(stores.files.eventsPath);
      const undisturbed = await whileWriting(house, () => pause(UNDISTURBED_MS));
      let isDone = false;
      const beside = await whileWriting(house, async () => {
        // A running service: this process shares its stores.
        const host = { ...house.operator, isAlone: false };
        const answer = await projectionsRebuild.run(host, {}, CONTEXT, () => undefined);
        isDone = Reflect.get(Object(answer), 'ok') === true;
      });
      const writes = `${beside.latencies.length} writes beside it, ${beside.failed} failed`;
      return [
        {
          what: `rebuild of all ${projections.length} read models beside ${WRITES_PER_SECOND} writes/s, ${EVENTS.toLocaleString('en')} events`,
          measured: (EVENTS / beside.ms) * 1_000,
          unit: 'events/s',
          beside: 'P, reading them with JSON.parse',
          besideValue: (plain.events / plain.ms) * 1_000,
          goal: { atLeast: 0.15 },
          proof: `${isDone ? 'all are live' : 'NOT ALL ARE LIVE'}; ${writes}`,
        },
        {
          what: 'p99 of a write and its view meanwhile',
          measured: percentile(beside.latencies, 0.99),
          unit: 'ms',
          beside: 'the same undisturbed',
          besideValue: percentile(undisturbed.latencies, 0.99),
          goal: { atMost: 2 },
          proof: `median ${percentile(beside.latencies, 0.5).toFixed(1)} ms, undisturbed ${percentile(undisturbed.latencies, 0.5).toFixed(1)} ms`,
        },
      ];
    } finally {
      await house.close();
    }
  },
};

const CONTEXT = {
  commandId: 'bench',
  actor: { kind: 'system', id: 'bench' },
  workspaceId: null,
  correlationId: 'bench',
} as const;

type Written = { readonly ms: number; readonly latencies: readonly number[]; readonly failed: number };

/** Grants credits at an even pace for the duration of the work; each counts until its views show it. */
async function whileWriting(house: SignalHouse, work: () => Promise<unknown>): Promise<Written> {
  const workspaceId = await house.workspace({ mode: 'self' }, 1);
  const latencies: number[] = [];
  const underWay: Promise<void>[] = [];
  let failed = 0;
  const write = async (): Promise<void> => {
    const wait = async (): Promise<void> => {
      await house.grant(workspaceId, 1);
      const wanted = { position: await house.events.head(), types: ['CreditsGranted'], workspaceId };
      if (!(await house.operator.progress.reached(wanted, PATIENCE_MS))) failed += 1;
    };
    latencies.push(await timed(wait));
  };
  const startedAt = performance.now();
  let begun = 0;
  const timer = setInterval(() => {
    // Makes up for late timers: real callers keep their pace.
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * WRITES_PER_SECOND);
    for (; begun < due; begun += 1) underWay.push(write().catch(() => void (failed += 1)));
  }, 1);
  const ms = await timed(work);
  clearInterval(timer);
  await Promise.all(underWay);
  return { ms, latencies, failed };
}
