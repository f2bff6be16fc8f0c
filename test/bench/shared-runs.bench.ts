import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { mortalEventStoreDb } from '../support/mortal-eventstoredb.js';
import { OPS_TOKEN, request, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { removeStores } from '../support/stores-under-test.js';
import { percentile, type Bench, type Measurement } from './bench.js';
import { workedMs } from './process-usage.js';
import { POSTS, prepareRound, SETUPS_OF_A_WORKSPACE } from './round.bench.js';
import { fillNetworkApart, LAST_MS } from './scale-network.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

const WORKSPACES = Number(process.env['SHARED_WORKSPACES'] ?? 8);
const PAIRS = Number(process.env['SHARED_PAIRS'] ?? 1);
const WORKERS = 4;
/** The goal for the processor time of all processes with four workers, beside one. */
const MOST = 1.6;
const CREATED_AT_ONCE = 4;
const LOOK_EVERY_MS = 250;
const GIVEN_UP_AFTER_MS = 1_800_000;

type Played = {
  readonly processorMs: number;
  readonly seconds: number;
  readonly ended: number;
  readonly detected: number;
  /** The workers that did a twentieth of the work of all workers. */
  readonly working: number;
  readonly verifies: boolean;
};

/**
 * The same round of weekly runs by four workers and by one, each beside an api process: events on the fault server of
 * EventStoreDB, read models on the server of TEST_READ_STORE_URL or in files that the processes share.
 */
export const sharedRunsBench: Bench = {
  name: 'shared-runs',
  async run() {
    const networkPath = join(temporaryFolder(), 'network.db');
    const pairs: { readonly one: Played; readonly four: Played }[] = [];
    await fillNetworkApart(networkPath, POSTS);
    for (let pair = 0; pair < PAIRS; pair += 1)
      pairs.push({ one: await playedBy(1, networkPath), four: await playedBy(WORKERS, networkPath) });
    return [lineOf(pairs)];
  },
};

function lineOf(pairs: readonly { readonly one: Played; readonly four: Played }[]): Measurement {
  const median = (of: (pair: (typeof pairs)[number]) => number): number => percentile(pairs.map(of), 0.5);
  const cost = ({ processorMs, detected }: Played): number => processorMs / detected;
  const described = ({ ended, detected, seconds, working, verifies }: Played): string =>
    `${ended} runs ended, ${detected} detections in ${seconds.toFixed(0)} s, ${working} workers at work, verify ${verifies ? 'ok' : 'DIFFERS'}`;
  return {
    what: `processor time of an api and ${WORKERS} workers for a detection in a round of ${WORKSPACES * SETUPS_OF_A_WORKSPACE} weekly runs`,
    measured: median(({ four }) => cost(four)),
    unit: 'ms',
    beside: 'one worker',
    besideValue: median(({ one }) => cost(one)),
    ratio: median(({ one, four }) => cost(four) / cost(one)),
    goal: { atMost: MOST },
    proof: pairs.map(({ one, four }) => `one: ${described(one)}; four: ${described(four)}`).join('; '),
  };
}

async function playedBy(workers: number, networkPath: string): Promise<Played> {
  const server = await mortalEventStoreDb();
  const folder = temporaryFolder();
  const environment = {
    EVENT_STORE_URL: server.url,
    NETWORK_STORE_URL: `sqlite:${networkPath}`,
    CURSOR_SECRET: 'a secret of all processes',
    CLOCK: 'manual',
    MONITORING_PASS: 'off',
    NODE_ENV: 'production',
  };
  const services: ServiceProcess[] = [];
  try {
    const api = await startServiceProcess(folder, 'api', environment);
    services.push(api);
    while (services.length <= workers)
      services.push(await startServiceProcess(folder, 'worker', environment));
    await untilReady(api);
    await prepareRound(api, WORKSPACES, CREATED_AT_ONCE);
    return await played(api, services, server.url);
  } finally {
    for (const service of services.toReversed()) await service.stop();
    await removeStores(folder);
    await server.remove();
  }
}

async function played(
  api: ServiceProcess,
  services: readonly ServiceProcess[],
  eventStoreUrl: string,
): Promise<Played> {
  const runs = WORKSPACES * SETUPS_OF_A_WORKSPACE;
  const store = await openEventStoreDb({ url: eventStoreUrl });
  try {
    const after = await store.head();
    const before = services.map(({ pid }) => workedMs(pid));
    const startedAt = performance.now();
    // It answers when all due work is done, and refuses when the workers take longer than it waits for them.
    const answered = operator(api, 'clock.set', { now: new Date(LAST_MS).toISOString() }).catch(() => null);
    let ended = 0;
    let detected = 0;
    const signal = AbortSignal.timeout(GIVEN_UP_AFTER_MS);
    for await (const { events } of store.subscribe({
      after,
      types: ['RunEnded', 'SignalDetected'],
      signal,
    })) {
      for (const { type } of events) {
        if (type === 'RunEnded') ended += 1;
        else detected += 1;
      }
      if (ended >= runs) break;
    }
    await answered;
    let verifies = true;
    for (let workspaceId = 1; workspaceId <= WORKSPACES; workspaceId += 1)
      verifies &&= await verifiesWhenShown(api, workspaceId);
    const worked = services.map(({ pid }, index) => workedMs(pid) - (before[index] ?? 0));
    const sum = worked.reduce((all, ms) => all + ms, 0);
    const ofWorkers = sum - (worked[0] ?? 0);
    return {
      processorMs: sum,
      seconds: (performance.now() - startedAt) / 1_000,
      ended,
      detected,
      working: worked.slice(1).filter((ms) => ms > ofWorkers / 20).length,
      verifies,
    };
  } finally {
    await store.close();
  }
}

/** Verifies a ledger; the service refuses that until its read models have everything. */
async function verifiesWhenShown(api: ServiceProcess, workspaceId: number): Promise<boolean> {
  for (const until = performance.now() + GIVEN_UP_AFTER_MS; ; await delay(LOOK_EVERY_MS)) {
    const answer = await request(`${api.opsUrl}/ops/ledger.verify`, OPS_TOKEN, { workspace_id: workspaceId });
    if (answer?.status !== 503 || performance.now() > until) return answer?.body.ok === true;
  }
}
