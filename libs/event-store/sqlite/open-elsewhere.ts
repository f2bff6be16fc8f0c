import { existsSync } from 'node:fs';
import { connect } from '#sqlite/open-database.js';
import { isBusy, storeError } from '#sqlite/sqlite-errors.js';

/**
 * Whether any connection, of this process or another, has the file open now, idle ones included: every connection
 * to a file with a write-ahead log holds a shared lock on it; this function requests the exclusive lock and releases
 * it immediately. Throws as `openDatabase` for a file that cannot be opened.
 */
export function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = connect(path, false);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('BEGIN IMMEDIATE');
    db.exec('ROLLBACK');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw storeError(error, path);
  } finally {
    db.close();
  }
}
