import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { systemClock } from '#kernel/ports/clock.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { OPERATOR_PACE, projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { allEvents } from '#runtime/vocabularies.js';
import { timed, type Bench, type Measurement } from './bench.js';
import { appendAll, detectionEvents, movementEvents, plainRead } from './rebuild-history.js';
import { driverAlone } from './rebuild-floor.js';
import { temporaryFolder } from './temporary-folder.js';

/** REBUILD_EVENTS=1000000 shows that a rebuild takes no more memory for a longer history. */
const MOVEMENTS = Math.ceil(Number(process.env['REBUILD_EVENTS'] || 200_000) / 2);
const MEMORY_LOOK_MS = 50;

/** A read model, and a history that contains only its events. */
type Subject = {
  readonly projection: Projection;
  readonly stream: string;
  readonly documents: number;
  readonly eventsOf: (number: number) => readonly NewEvent[];
  readonly events: number;
  readonly lastType: string;
};

const MOVEMENT_ROWS: Subject = {
  projection: creditMovements,
  stream: 'credits-1',
  documents: MOVEMENTS,
  eventsOf: movementEvents,
  events: 2 * MOVEMENTS,
  lastType: 'CreditsCaptured',
};
const DETECTION_ROWS: Subject = {
  projection: detections,
  stream: 'signal-run-1',
  documents: MOVEMENTS,
  eventsOf: detectionEvents,
  events: MOVEMENTS,
  lastType: 'SignalDetected',
};

/** The highest sampled memory (resident, in MB) of the process during the work. */
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

/** A bare driver's time to add documents of the same size to a collection with only its `_id` index. */
async function plainInserts(
  url: string,
  { documents: count, eventsOf }: Subject,
): Promise<{ readonly documents: number; readonly ms: number }> {
  const client = await new MongoClient(url).connect();
  const collection = client.db().collection<{ _id: string; json: string }>('bench.plain');
  let ms = 0;
  for (let first = 1; first <= count; first += 1_000) {
    const documents = Array.from({ length: Math.min(1_000, count + 1 - first) }, (_, index) => ({
      _id: String(first + index).padStart(12, '0'),
      json: JSON.stringify(eventsOf(first + index)[0]?.data),
    }));
    ms += await timed(() => collection.insertMany(documents, { ordered: false }));
  }
  await client.close();
  return { documents: count, ms };
}

export const rebuildBench: Bench = {
  name: 'rebuild',
  async run() {
    return [...(await measured(MOVEMENT_ROWS)), ...(await measured(DETECTION_ROWS))];
  },
};

async function measured(subject: Subject): Promise<readonly Measurement[]> {
  const { projection, documents } = subject;
  const folder = temporaryFolder();
  const path = join(folder, 'events.db');
  const events = await openSqliteEventStore({ path });
  await appendAll(events, subject.stream, documents, subject.eventsOf);
  const views = await openSqliteReadStore({ path: join(folder, 'views.db') });
  const embedded = await rebuilt(events, views, subject);
  const plain = await plainRead(path);
  const viewsPath = join(folder, 'views.db');
  const floor = await driverAlone(viewsPath, join(folder, 'floor.db'), plain.ms, projection.name);
  const measurements: Measurement[] = [
    {
      what: `rebuild of ${projection.name}, ${subject.events.toLocaleString('en')} events`,
      measured: (subject.events / embedded.ms) * 1_000,
      unit: 'events/s',
      beside: 'P, reading them with JSON.parse',
      besideValue: (plain.events / plain.ms) * 1_000,
      goal: { atLeast: 0.5 },
      proof: `${embedded.rows} of ${documents} documents`,
    },
    {
      what: `peak memory during the rebuild of ${projection.name}`,
      measured: embedded.mostMb,
      unit: 'MB',
      beside: 'just before',
      besideValue: embedded.beforeMb,
      goal: null,
      proof: 'the whole process',
    },
    {
      what: `${projection.name} by the driver alone: reads, inserts the same rows, builds the same indexes`,
      measured: (subject.events / floor.ms) * 1_000,
      unit: 'events/s',
      beside: 'P, reading them with JSON.parse',
      besideValue: (plain.events / plain.ms) * 1_000,
      goal: null,
      proof: `${floor.rows} of ${documents} rows, on one thread`,
    },
  ];
  const server = process.env['TEST_READ_STORE_URL'];
  if (server) measurements.push(await onServer(server, events, subject));
  await events.close();
  return measurements;
}

async function onServer(server: string, events: EventStore, subject: Subject): Promise<Measurement> {
  const url = new URL(server);
  url.pathname = `/bench_${randomUUID().slice(0, 8)}`;
  const rebuiltThere = await rebuilt(events, await openMongoReadStore({ url: url.href }), subject);
  const bare = await plainInserts(url.href, subject);
  const client = await new MongoClient(url.href).connect();
  await client.db().dropDatabase();
  await client.close();
  return {
    what: `rebuild of ${subject.projection.name} on ${process.env['TEST_READ_STORE_SERVER'] || 'MongoDB'}`,
    measured: (rebuiltThere.rows / rebuiltThere.ms) * 1_000,
    unit: 'documents/s',
    beside: 'the bare driver adding as many, without indexes',
    besideValue: (bare.documents / bare.ms) * 1_000,
    goal: null,
    proof: `${rebuiltThere.rows} of ${subject.documents} documents`,
  };
}

type Rebuilt = {
  readonly ms: number;
  readonly rows: number;
  readonly mostMb: number;
  readonly beforeMb: number;
};

/** Builds the read model once, then again beside itself: the second build is measured. Closes the read store. */
async function rebuilt(
  events: EventStore,
  reads: ReadStore,
  { projection, lastType }: Subject,
): Promise<Rebuilt> {
  const engine = projectionEngine({
    events,
    reads,
    registry: projectionRegistry({ name: 'bench', projections: [projection] }),
    decode: (stored) => decodeEvent(allEvents, stored),
    clock: systemClock,
  });
  engine.start();
  await engine.reached({ position: await events.head(), types: [lastType], workspaceId: 1 }, 600_000);
  const beforeMb = process.memoryUsage.rss() / 1e6;
  let ms = 0;
  const mostMb = await mostMemoryMb(async () => {
    ms = await timed(() => engine.rebuild(projection.name, { pace: OPERATOR_PACE }));
  });
  const rows = await reads.count(projection, { where: { workspaceId: 1 } });
  await engine.stop();
  await reads.close();
  return { ms, rows, mostMb, beforeMb };
}
