import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { systemClock } from '#kernel/ports/clock.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { creditMovements } from '#projections/credit-movements/credit-movements.projection.js';
import { OPERATOR_PACE, projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { creditEvents } from '#domain/credits/credits.events.js';
import { timed, type Bench, type Measurement } from './bench.js';
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

/** A bare driver's time to add documents of the same size to a collection with nothing but its `_id`. */
async function plainInserts(url: string): Promise<{ readonly documents: number; readonly ms: number }> {
  const client = await new MongoClient(url).connect();
  const collection = client.db().collection<{ _id: string; json: string }>('bench.plain');
  let ms = 0;
  for (let first = 1; first <= MOVEMENTS; first += 1_000) {
    const documents = Array.from({ length: Math.min(1_000, MOVEMENTS + 1 - first) }, (_, index) => ({
      _id: String(first + index).padStart(12, '0'),
      json: JSON.stringify(movementEvents(first + index)[0]?.data),
    }));
    ms += await timed(() => collection.insertMany(documents, { ordered: false }));
  }
  await client.close();
  return { documents: MOVEMENTS, ms };
}

export const rebuildBench: Bench = {
  name: 'rebuild',
  async run() {
    const folder = temporaryFolder();
    const path = join(folder.path, 'events.db');
    const events = await openSqliteEventStore({ path });
    let revision: bigint | 'no-stream' = 'no-stream';
    for (let first = 1; first <= MOVEMENTS; first += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, MOVEMENTS + 1 - first) }, (_, index) =>
        movementEvents(first + index),
      ).flat();
      revision = (await events.append('credits-1', revision, batch)).revision;
    }
    const embedded = await rebuilt(
      events,
      await openSqliteReadStore({ path: join(folder.path, 'views.db') }),
    );
    const plain = await plainRead(path);
    const measurements: Measurement[] = [
      {
        what: `rebuild of a read model, ${EVENTS.toLocaleString('en')} events`,
        measured: (EVENTS / embedded.ms) * 1_000,
        unit: 'events/s',
        beside: 'P, reading them with JSON.parse',
        besideValue: (plain.events / plain.ms) * 1_000,
        goal: { atLeast: 0.5 },
        proof: `${embedded.rows} of ${MOVEMENTS} documents`,
      },
      {
        what: 'most memory while it is rebuilt',
        measured: embedded.mostMb,
        unit: 'MB',
        beside: 'just before',
        besideValue: embedded.beforeMb,
        goal: null,
        proof: 'the whole process',
      },
    ];
    const server = process.env['TEST_READ_STORE_URL'];
    if (server) {
      const url = new URL(server);
      url.pathname = `/bench_${randomUUID().slice(0, 8)}`;
      const onServer = await rebuilt(events, await openMongoReadStore({ url: url.href }));
      const bare = await plainInserts(url.href);
      const client = await new MongoClient(url.href).connect();
      await client.db().dropDatabase();
      await client.close();
      measurements.push({
        what: `rebuild of a read model on ${process.env['TEST_READ_STORE_SERVER'] || 'MongoDB'}`,
        measured: (onServer.rows / onServer.ms) * 1_000,
        unit: 'documents/s',
        beside: 'the bare driver adding as many, without indexes',
        besideValue: (bare.documents / bare.ms) * 1_000,
        goal: null,
        proof: `${onServer.rows} of ${MOVEMENTS} documents`,
      });
    }
    await events.close();
    folder.remove();
    return measurements;
  },
};

type Rebuilt = {
  readonly ms: number;
  readonly rows: number;
  readonly mostMb: number;
  readonly beforeMb: number;
};

/** Builds the read model once, then again beside itself: that one is measured. Closes the read store. */
async function rebuilt(events: EventStore, reads: ReadStore): Promise<Rebuilt> {
  const engine = projectionEngine({
    events,
    reads,
    registry: projectionRegistry([{ name: 'bench', projections: [creditMovements] }]),
    decode: (stored) => decodeEvent(creditEvents, stored),
    clock: systemClock,
  });
  engine.start();
  await engine.reached({ position: await events.head(), types: ['CreditsHeld'], workspaceId: 1 }, 600_000);
  const beforeMb = process.memoryUsage.rss() / 1e6;
  let ms = 0;
  const mostMb = await mostMemoryMb(async () => {
    ms = await timed(() => engine.rebuild(creditMovements.name, { pace: OPERATOR_PACE }));
  });
  const rows = await reads.count(creditMovements, { where: { workspaceId: 1 } });
  await engine.stop();
  await reads.close();
  return { ms, rows, mostMb, beforeMb };
}

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
