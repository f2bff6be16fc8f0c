import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** The result code of SQLite for a file that another process has locked. */
const BUSY = 5;
/** Referred to until the process ends, because a closed database releases its lock. */
let lock = null;

/**
 * Whether no other process runs the tests of this checkout; then others are refused until this process ends. Two runs at
 * a time would replace files that the other one reads: the compiled code, and the bundles of programs and specs. The
 * system releases the lock of a process that was killed.
 */
export function isOnlyRun(root) {
  const folder = join(root, '.cache');
  mkdirSync(folder, { recursive: true });
  try {
    lock = new DatabaseSync(join(folder, 'test-run.db'));
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    // A file system without locks is no reason against a run.
    return error.errcode !== BUSY;
  }
}
