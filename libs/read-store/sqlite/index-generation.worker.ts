import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { retryWhileBusy } from '#sqlite/busy.js';
import { connect } from '#sqlite/open-database.js';
import { inWriteTransaction } from '#sqlite/transaction.js';

/** The indexes of one generation, as statements that do nothing where the index is there. */
export type IndexWork = {
  readonly path: string;
  readonly view: string;
  readonly version: number;
  readonly generation: number;
  readonly statements: readonly string[];
};
export type IndexWorkReport = { readonly error: string | null };

/** Longer than the longest pause of a writer that waits for the lock: it comes in between two indexes. */
const BREATH_MS = 60;
const HELD_BEFORE_BREATH_MS = 250;
const SORT_CACHE_KIB = 65_536;

const { path, view, version, generation, statements } = workerData as IndexWork;

async function build(): Promise<void> {
  const db = connect(path, false);
  try {
    db.exec('PRAGMA wal_autocheckpoint = 0');
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec(`PRAGMA cache_size = -${SORT_CACHE_KIB}`);
    const found = db.prepare(
      'SELECT 1 FROM _generations WHERE view = ? AND version = ? AND generation = ? AND dropping = 0',
    );
    let heldMs = 0;
    for (const sql of statements) {
      if (heldMs >= HELD_BEFORE_BREATH_MS) {
        await pause(BREATH_MS);
        heldMs = 0;
      }
      await retryWhileBusy(path, () =>
        inWriteTransaction(db, () => {
          const startedAt = performance.now();
          // Dropped meanwhile: the caller finds out.
          if (found.get(view, version, generation) !== undefined) db.exec(sql);
          heldMs += performance.now() - startedAt;
        }),
      );
    }
  } finally {
    db.close();
  }
}

const report: IndexWorkReport = await build().then(
  () => ({ error: null }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
);
parentPort?.postMessage(report);
