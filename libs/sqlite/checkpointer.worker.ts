import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './open-database.js';

export type CheckpointMode = 'PASSIVE' | 'TRUNCATE';
export type CheckpointReport = { readonly error: string | null };

const { path } = workerData as { readonly path: string };
const db = connect(path, false);
db.exec('PRAGMA wal_autocheckpoint = 0');

parentPort?.on('message', (message: CheckpointMode | 'CLOSE') => {
  if (message === 'CLOSE') {
    db.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage({ error: checkpoint(message) } satisfies CheckpointReport);
});

function checkpoint(mode: CheckpointMode): string | null {
  try {
    // The copying waits for the disk and needs no lock that stops a writer; only the cut that may follow does.
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    if (mode === 'TRUNCATE') db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
