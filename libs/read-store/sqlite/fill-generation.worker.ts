import { parentPort, workerData } from 'node:worker_threads';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { sqliteCheckpoints } from './checkpoints.js';
import { writingThreadConnection } from './connection.js';
import {
  carried,
  type CarriedError,
  type FillOrder,
  type FillReport,
  type FillWork,
} from './fill-messages.js';
import { buildIndexes } from './index-building.js';
import { putWrites } from './projection-writes.js';
import { isStopped } from './stopping.js';

const { path, generations, cacheKib, heldMs, stopped } = workerData as FillWork;
const connection = writingThreadConnection(path, cacheKib);
const { statement } = connection;
const checkpoints = sqliteCheckpoints({ statement });

let failed: CarriedError | null = null;
let done: Promise<void> = Promise.resolve();

parentPort?.on('message', (order: FillOrder) => {
  done = done.then(async () => {
    if (order === 'END') {
      connection.close();
      parentPort?.close();
      return;
    }
    // Writes after a failed write would leave a gap.
    if (failed === null) failed = await obey(order).then(() => null, carried);
    parentPort?.postMessage({ error: failed } satisfies FillReport);
  });
});

async function obey(order: Exclude<FillOrder, 'END'>): Promise<void> {
  if (isStopped(stopped)) throw new StoreUnavailable(`${path} is closed`);
  if ('index' in order) return buildIndexes(connection, generationAt(order.index), heldMs, stopped);
  const writes = order.writes.map(({ place, ...write }) => ({ ...write, generation: generationAt(place) }));
  await connection.write(() => putWrites({ statement, checkpoints }, writes, order.fence));
}

function generationAt(place: number): FillWork['generations'][number] {
  const generation = generations[place];
  if (generation === undefined) throw new Error(`nobody fills generation number ${place}`);
  return generation;
}
