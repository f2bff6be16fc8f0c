import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { Generation } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { isStopped } from './stopping.js';
import { createIndexSql, namesOf, tableOf } from './tables.js';

/** Longer than the longest pause of a writer that waits for the lock, so that it gets the lock between two indexes. */
const BREATH_MS = 60;

/**
 * Builds the indexes of a generation, one per transaction, on a thread that may be busy. Other writers get a pause
 * after the file was locked for `heldMs` in total. Ends silently if the generation was dropped meanwhile: the caller
 * notices it. Rejects with `StoreUnavailable` once it is `stopped`; finished indexes stay.
 */
export async function buildIndexes(
  { statement, write }: Connection,
  generation: Generation,
  heldMs: number,
  stopped: SharedArrayBuffer,
): Promise<void> {
  const table = tableOf(generation);
  let held = 0;
  for (const index of table.indexes) {
    if (held >= heldMs) {
      await pause(BREATH_MS);
      held = 0;
    }
    if (isStopped(stopped)) throw new StoreUnavailable('the store is closed');
    await write(() => {
      const startedAt = performance.now();
      const found = statement(FOUND_SQL).get(...namesOf(generation));
      if (found !== undefined) statement(createIndexSql(table, index)).run();
      held += performance.now() - startedAt;
    });
  }
}

const FOUND_SQL =
  'SELECT 1 FROM _generations WHERE view = ? AND version = ? AND generation = ? AND dropping = 0';
