import { StoreDamaged, StoreUnavailable } from '#kernel/ports/event-store.port.js';

/** Primary result codes, https://www.sqlite.org/rescode.html */
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const ENVIRONMENT: ReadonlyMap<number, string> = new Map([
  [3, 'may not be opened'],
  [BUSY, 'stayed locked'],
  [6, 'stayed locked'],
  [7, 'needs more memory than is available'],
  [8, 'may not be written'],
  [10, 'cannot be read or written'],
  [13, 'has no room to grow: the disk is full'],
  [14, 'cannot be opened'],
  [15, 'cannot be locked'],
  [22, 'is too large for this disk'],
]);

/** The message of SQLite for a code: the driver omits the code of an error in the middle of many rows. */
const MESSAGES: ReadonlyMap<string, number> = new Map([
  ['database is locked', BUSY],
  ['disk I/O error', 10],
  ['database disk image is malformed', CORRUPT],
  ['file is not a database', NOT_A_DATABASE],
]);

/** The primary SQLite result code of an error, null when SQLite did not throw it. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  const isOfDriver = 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  return isOfDriver ? (MESSAGES.get(error.message) ?? null) : null;
}

/** True when another connection holds the lock that was needed: nothing was done, a later try may succeed. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** True if a page of the file is corrupt. */
export function isCorrupt(error: unknown): boolean {
  return sqliteCode(error) === CORRUPT;
}

/**
 * What an error of SQLite means to the callers of a store: the file is damaged or no database (`StoreDamaged`),
 * the machine does not let us work on it now (`StoreUnavailable`), or a mistake of ours (unchanged).
 */
export function storeError(
  error: unknown,
  path: string,
  outcome: StoreUnavailable['outcome'] = 'nothing-written',
): unknown {
  const code = sqliteCode(error);
  if (code === null || !(error instanceof Error)) return error;
  if (isCorrupt(error)) {
    return new StoreDamaged(`${path} is damaged: ${error.message}`, { cause: error });
  }
  if (code === NOT_A_DATABASE) {
    return new StoreDamaged(`${path} is not an SQLite database`, { cause: error });
  }
  const reason = ENVIRONMENT.get(code);
  if (reason === undefined) return error;
  return new StoreUnavailable(`${path} ${reason} (${error.message})`, outcome, { cause: error });
}
