import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { isBusy, storeError } from './sqlite-errors.js';

/**
 * Moves the log into the file and closes the connection. Another process that has the file open may prevent the move;
 * then the log stays. Throws `StoreUnavailable` if the disk is full: the log stays, too, and the file alone is no
 * complete backup.
 */
export function closeWithEmptyLog(db: DatabaseSyncInstance, path: string): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isBusy(error)) throw storeError(error, path);
  } finally {
    db.close();
  }
}
