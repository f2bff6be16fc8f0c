import { parentPort, workerData } from 'node:worker_threads';
import type { Generation } from '#kernel/ports/read-store.port.js';
import { writingThreadConnection } from './connection.js';
import { buildIndexes } from './index-building.js';

/** The generation to be indexed; its view is here without its folds. */
export type IndexWork = {
  readonly path: string;
  readonly generation: Generation;
  readonly stopped: SharedArrayBuffer;
};
export type IndexWorkReport = { readonly error: string | null };

const HELD_BEFORE_BREATH_MS = 250;
const SORT_CACHE_KIB = 65_536;

const { path, generation, stopped } = workerData as IndexWork;

async function build(): Promise<void> {
  const connection = writingThreadConnection(path, SORT_CACHE_KIB);
  try {
    await buildIndexes(connection, generation, HELD_BEFORE_BREATH_MS, stopped);
  } finally {
    connection.close();
  }
}

const report: IndexWorkReport = await build().then(
  () => ({ error: null }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
);
parentPort?.postMessage(report);
