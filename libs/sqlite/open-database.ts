import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreDamaged, StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { BUSY_TIMEOUT_MS, LOCK_PATIENCE_MS, retryWhileBusy } from './busy.js';
import { readFileHeader } from './file-header.js';
import { makeFolder } from './make-folder.js';
import { storeError } from './sqlite-errors.js';
import { inWriteTransaction } from './transaction.js';

export type OpenDatabase = {
  readonly path: string;
  /** Signed 32-bit number in the file's header that identifies the owner of the file. */
  readonly applicationId: number;
  readonly schemaVersion: number;
  /** Brings the tables from an older version (0: none yet) to `schemaVersion`; runs in one transaction. */
  readonly migrate: (db: DatabaseSyncInstance, fromVersion: number) => void;
  /** FULL: a commit survives a power cut. NORMAL: the last ones may be lost, for what can be rebuilt. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Further settings of this connection, as `name = value`. */
  readonly pragmas?: readonly string[];
  /** A new file records which page points to which, so that free pages can be given back (`PRAGMA incremental_vacuum`). */
  readonly givesBackSpace?: boolean;
  readonly lockPatienceMs?: number;
  /**
   * Another connection of this process has the file open. Then only SQLite may read it: closing a
   * descriptor of a file releases every lock of the process on it, and another process assumes that the file is not
   * open, https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
   */
  readonly isOpenHere?: boolean;
};

/**
 * Opens an SQLite file of this product in WAL mode, and creates missing folders, files and tables. The connection never
 * checkpoints: see `startCheckpointer`. Rejects with `StoreUnusable` for a file that is damaged, newer or not of this
 * product, without a change to it, and with `StoreUnavailable` if it cannot be opened or stays locked.
 */
export async function openDatabase(options: OpenDatabase): Promise<DatabaseSyncInstance> {
  const { path, lockPatienceMs = LOCK_PATIENCE_MS } = options;
  if (options.isOpenHere !== true) {
    await refuseForeignFile(options);
    makePrivateFile(path);
  }
  const db = opened(path, false);
  try {
    // The first look at the file: the last connection of another process holds its exclusive lock while it closes.
    await retryWhileBusy(path, () => prepareSchema(db, options), lockPatienceMs);
    await retryWhileBusy(path, () => switchToWal(db, path), lockPatienceMs);
    db.exec(`PRAGMA synchronous = ${options.synchronous}`);
    db.exec('PRAGMA wal_autocheckpoint = 0');
    for (const pragma of options.pragmas ?? []) db.exec(`PRAGMA ${pragma}`);
    return db;
  } catch (error) {
    db.close();
    throw storeError(error, path);
  }
}

/** The file belongs to another application, or is another store of this program. */
export class ForeignDatabase extends StoreUnusable {
  constructor(path: string) {
    super(`${path} is an SQLite database of another application, or another store of this program`);
  }
}

/** Opens a second connection to a file that `openDatabase` has opened. It neither creates a file nor waits for one. */
export function connect(path: string, readOnly: boolean): DatabaseSyncInstance {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreUnavailable(`${path} is not there`);
  if (!found.isFile()) throw new StoreUnusable(`${path} is not a regular file`);
  return opened(path, readOnly);
}

function opened(path: string, readOnly: boolean): DatabaseSyncInstance {
  try {
    return new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw storeError(error, path);
  }
}

async function refuseForeignFile({ path, applicationId, lockPatienceMs }: OpenDatabase): Promise<void> {
  const header = await Promise.resolve()
    .then(() => makeFolder(dirname(path)))
    .then(() => readFileHeader(path))
    .catch((error: Error) => {
      throw new StoreUnavailable(`${path} cannot be opened (${error.message})`, 'nothing-written', {
        cause: error,
      });
    });
  if (header.kind === 'empty' || (header.kind === 'sqlite' && header.applicationId === applicationId)) return;
  if (header.kind === 'irregular')
    throw new StoreUnavailable(`${path} cannot be opened (it is not a regular file)`);
  if (header.kind === 'other') throw new StoreDamaged(`${path} is not an SQLite database`);
  // Without an application id it is ours only while it is still without tables.
  if (header.applicationId === 0) {
    const db = connect(path, true);
    try {
      if ((await retryWhileBusy(path, () => tableCount(db), lockPatienceMs)) === 0) return;
    } finally {
      db.close();
    }
  }
  throw new ForeignDatabase(path);
}

/** Only for its owner; the files of SQLite beside a file (log, index of the log) get the permissions of that file. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // If a file cannot be created, SQLite reports it in its own message.
  }
}

/** Runs before the switch to WAL, so that the application id is in the file itself from its first commit on. */
function prepareSchema(db: DatabaseSyncInstance, options: OpenDatabase): void {
  const { path, applicationId, schemaVersion } = options;
  // No effect on a file that has pages.
  if (options.givesBackSpace === true) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  if (isReady(db, options)) return;
  inWriteTransaction(db, () => {
    // Another process may have been faster.
    if (isReady(db, options)) return;
    const found = userVersion(db);
    if (found === 0 && tableCount(db) > 0) {
      throw new ForeignDatabase(path);
    }
    options.migrate(db, found);
    db.exec(`PRAGMA application_id = ${applicationId}`);
    db.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

function isReady(db: DatabaseSyncInstance, { path, schemaVersion }: OpenDatabase): boolean {
  const found = userVersion(db);
  if (found > schemaVersion) {
    throw new StoreUnusable(
      `${path} was written by a newer version of this program (schema ${found}, this one knows ${schemaVersion})`,
    );
  }
  return found === schemaVersion && tableCount(db) > 0;
}

function switchToWal(db: DatabaseSyncInstance, path: string): void {
  const row = db.prepare('PRAGMA journal_mode = WAL').get();
  if (row?.journal_mode !== 'wal') {
    throw new StoreUnavailable(`${path} is on a file system without support for SQLite's write-ahead log`);
  }
}

function userVersion(db: DatabaseSyncInstance): number {
  return Number(db.prepare('PRAGMA user_version').get().user_version);
}

function tableCount(db: DatabaseSyncInstance): number {
  return Number(db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get().tables);
}
