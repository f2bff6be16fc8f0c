import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { isBusy } from './sqlite-errors.js';

/** Moves the log into the file. Another process that has the file open may prevent it; then the log stays. */
export function emptyLog(db: DatabaseSyncInstance): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
