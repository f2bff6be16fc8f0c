import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/**
 * Runs `work` in one write transaction: committed when this returns, rolled back when it throws. The write
 * lock is taken first, so that nothing read inside can be stale by the time of the write.
 */
export function inWriteTransaction<Result>(db: DatabaseSyncInstance, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk or an I/O error may have rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
