import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.js';
import { decodeEvent } from '#kernel/event-codec.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { creditMovements } from '#projections/credit-movements/credit-movements.projection.js';
import { OPERATOR_PACE, projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { creditEvents } from '#domain/credits/credits.events.js';
import { timed, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

/** REBUILD_EVENTS=1000000 shows that a rebuild takes no more memory for a longer history. */
const MOVEMENTS = Math.ceil(Number(process.env['REBUILD_EVENTS'] || 200_000) / 2);
const EVENTS = 2 * MOVEMENTS;
const MEMORY_LOOK_MS = 50;
const BATCH = 250;

/** P: every event read with the driver and parsed, and nothing else. */
async function plainRead(path: string): Promise<{ readonly events: number; readonly ms: number }> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(path, { readOnly: true });
  const text = ['data', 'metadata'] as const;
  const statement = db.prepare('SELECT data, metadata FROM events ORDER BY position');
  let events = 0;
  const ms = await timed(() => {
    for (const row of statement.iterate()) {
      for (const column of text) JSON.parse(String(row[column]));
      events += 1;
    }
  });
  db.close();
  return { events, ms };
}

/** The most memory (resident, in MB) that the process had while it worked, by looks. */
async function mostMemoryMb(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const looks = setInterval(look, MEMORY_LOOK_MS);
  await work();
  look();
  clearInterval(looks);
  return most / 1e6;
}

export const rebuildBench: Bench = {
  name: 'rebuild',
  async run() {
    const folder = temporaryFolder();
    const path = join(folder.path, 'events.db');
    const events = await openSqliteEventStore({ path });
    const reads = await openSqliteReadStore({ path: join(folder.path, 'views.db') });
    let revision: bigint | 'no-stream' = 'no-stream';
    for (let first = 1; first <= MOVEMENTS; first += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => movementEvents(first + index)).flat();
      revision = (await events.append('credits-1', revision, batch)).revision;
    }
    const engine = projectionEngine({
      events,
      reads,
      registry: projectionRegistry([{ name: 'bench', projections: [creditMovements] }]),
      decode: (stored) => decodeEvent(creditEvents, stored),
      clock: systemClock,
    });
    engine.start();
    await engine.reached({ position: await events.head(), types: ['CreditsHeld'], workspaceId: 1 }, 600_000);
    const plain = await plainRead(path);
    const beforeMb = process.memoryUsage.rss() / 1e6;
    let rebuildMs = 0;
    const mostMb = await mostMemoryMb(async () => {
      rebuildMs = await timed(() => engine.rebuild(creditMovements.name, { pace: OPERATOR_PACE }));
    });
    const rows = await reads.count(creditMovements, { where: { workspaceId: 1 } });
    await engine.stop();
    await reads.close();
    await events.close();
    folder.remove();
    return [
      {
        what: `rebuild of a read model, ${EVENTS.toLocaleString('en')} events`,
        measured: (EVENTS / rebuildMs) * 1_000,
        unit: 'events/s',
        beside: 'P, reading them with JSON.parse',
        besideValue: (plain.events / plain.ms) * 1_000,
        goal: { atLeast: 0.5 },
        proof: `${rows} of ${MOVEMENTS} documents`,
      },
      {
        what: 'most memory while it is rebuilt',
        measured: mostMb,
        unit: 'MB',
        beside: 'just before',
        besideValue: beforeMb,
        goal: null,
        proof: 'the whole process',
      },
    ];
  },
};

function movementEvents(movementId: number) {
  const metadata = {
    workspaceId: '1',
    actorKind: 'process',
    actorId: 'bench',
    commandId: randomUUID(),
    correlationId: randomUUID(),
    recordedAt: new Date(1_767_225_600_000 + movementId).toISOString(),
    schemaVersion: '1',
  };
  const key = `launch:1:post:${movementId}`;
  const cause = { kind: 'signal', launchId: 1, runId: 1, setupId: 1, subject: `post:${movementId}` };
  const held = {
    movementId,
    key,
    credits: '10000000',
    product: 'discovery_essential',
    payer: 'workspace',
    cause,
  };
  return [
    { id: randomUUID(), type: 'CreditsHeld', data: held, metadata },
    { id: randomUUID(), type: 'CreditsCaptured', data: { movementId, key }, metadata },
  ];
}
