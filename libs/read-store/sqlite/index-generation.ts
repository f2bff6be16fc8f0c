import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { existingTable, missingIndexes } from './generations.js';
import type { IndexWork, IndexWorkReport } from './index-generation.worker.js';
import { isStopped, stopping } from './stopping.js';
import { bareShape, createIndexSql, type Table } from './tables.js';

type IndexStore = Pick<ReadStore, 'indexGeneration'> & {
  /** Ends when the current index is ready; the others are not begun. */
  readonly stopIndexing: () => Promise<void>;
};

/** So many rows are indexed faster than a thread starts. */
const FEW_ROWS = 2_000;

/**
 * Builds the indexes of a generation after it was filled: a small one immediately, a large one on a thread with its
 * own connection, one index per transaction, so that other writers wait for one index at most.
 */
export function sqliteIndexing({ statement, read, write }: Connection, path: string): IndexStore {
  const { shared, stop } = stopping();
  /** One large index at a time: the file has one writer. */
  let turn: Promise<unknown> = Promise.resolve();

  const hasManyRows = (table: Table): boolean =>
    statement(`SELECT 1 FROM ${table.documents} LIMIT 1 OFFSET ${FEW_ROWS}`).get() !== undefined;

  const buildOnThread = async ({ view, generation }: Generation): Promise<void> => {
    if (isStopped(shared)) throw new StoreUnavailable(`${path} is closed`);
    const work: IndexWork = { path, generation: { view: bareShape(view), generation }, stopped: shared };
    const worker = new Worker(new URL('./index-generation.worker.js', import.meta.url), { workerData: work });
    const { error } = await reportOf(worker);
    if (error !== null) throw new StoreUnavailable(`the indexes of ${view.name} were not built (${error})`);
  };

  return {
    indexGeneration: async (generation) => {
      const isLarge = await read(() => {
        const found = existingTable(statement, generation);
        return missingIndexes(statement, found).length > 0 && hasManyRows(found);
      });
      if (isLarge) {
        const mine = turn.then(() => buildOnThread(generation));
        turn = mine.catch(() => undefined);
        await mine;
      }
      await write(() => {
        const found = existingTable(statement, generation);
        for (const index of missingIndexes(statement, found)) statement(createIndexSql(found, index)).run();
      });
    },
    stopIndexing: async () => {
      stop();
      await turn;
    },
  };
}

function reportOf(worker: Worker): Promise<IndexWorkReport> {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('error', (error: Error) => resolve({ error: error.message }));
    worker.once('exit', () => resolve({ error: 'the indexing thread ended' }));
  });
}
