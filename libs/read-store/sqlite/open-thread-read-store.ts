import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { readStoreConnection } from './connection.js';
import { existingTable, missingIndexes } from './generations.js';
import { openReadStoreFile, readStoreOn } from './open-sqlite-read-store.js';
import { shortLog } from './short-log.js';
import { createIndexSql } from './tables.js';
import { writeOrderOfThread, type SharedWriteOrder } from './write-order.js';

export type ThreadReadStore = ReadStore & {
  /** The longest time that the event loop could not write since the last call. */
  readonly heldMs: () => number;
};

/**
 * The read store for a thread of the process that writes much, next to the connection of the event loop, which has
 * priority. Indexes are built here, one per transaction: the caller makes sure that they are small. Must be closed
 * before the thread ends.
 */
export async function openThreadReadStore(path: string, shared: SharedWriteOrder): Promise<ThreadReadStore> {
  const db = await openReadStoreFile(path, { isOpenHere: true });
  const turns = writeOrderOfThread(shared);
  const connection = readStoreConnection(db, path, undefined, turns);
  const { statement, read, write } = connection;
  const log = shortLog(db, path, turns);
  const store = readStoreOn(connection, Date.now);
  return {
    ...store,
    write: async (writes, fence) => {
      await store.write(writes, fence);
      log.keep();
    },
    indexGeneration: async (generation) => {
      const missing = await read(() => missingIndexes(statement, existingTable(statement, generation)));
      for (const index of missing)
        await write(() => statement(createIndexSql(existingTable(statement, generation), index)).run());
    },
    heldMs: turns.heldMs,
    close: async () => {
      log.close();
      connection.close();
    },
  };
}
