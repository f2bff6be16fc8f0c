import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { backupExists, storeInUse } from '#event-store/copy/copy-refusals.js';
import { isOpenElsewhere } from '#event-store/sqlite/open-elsewhere.js';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import type { Refusal } from '#kernel/values/refusal.js';
import { fileError } from '#sqlite/file-error.js';
import { placeOf } from '#sqlite/file-place.js';
import { makeFolder } from '#sqlite/make-folder.js';
import { connect } from '#sqlite/open-database.js';
import { isBusy, storeError } from '#sqlite/sqlite-errors.js';

/** Suffix of the write-ahead log of a file. */
const LOG = '-wal';
/** Suffixes of the files that SQLite creates beside a file. */
const COMPANIONS = [LOG, '-shm'];

/** A file that is written under another name and renamed when it is complete: a kill leaves no partial file. */
export type UnfinishedFile = {
  /** The temporary name. */
  readonly path: string;
  /** Renames the file to its final name. Rejects if that name exists meanwhile. */
  readonly finish: () => void;
  /** Replaces the store file of that name, which nobody has open, and which gets another name; one of both always exists. */
  readonly replace: (setAside: string) => void;
};

/** Writes the other files of one backup. */
export type OtherBackups = () => Promise<void>;

/**
 * Gives a file its name after the others of its backup: after a kill before that, no name is taken and the same command
 * starts again. If another one fails, the complete file is kept.
 */
export async function finishAfter(
  others: OtherBackups | undefined,
  { finish }: Pick<UnfinishedFile, 'finish'>,
): Promise<void> {
  try {
    await others?.();
  } finally {
    finish();
  }
}

/** Throws `backupExists` for a name that is taken, also by a dangling link. */
export function requireFreeName(file: string): void {
  const found = atPlace(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (found !== undefined) throw backupExists({ members: { file } });
}

/** Throws `StoreUnavailable` if the system does not allow a file at this place. */
function atPlace<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fileError(error, path, 'written');
  }
}

/**
 * Starts a new file of this name and removes the remains of an earlier attempt, also those of this one if it fails. Throws
 * `storeInUse` while another process, or another part of this one, creates a file of the same name.
 */
export async function withUnfinishedFile<Result>(
  path: string,
  work: (unfinished: UnfinishedFile) => Promise<Result>,
): Promise<Result> {
  atPlace(path, () => makeFolder(dirname(path)));
  const claim = claimOf(path, () => storeInUse({ members: { file: basename(path) } }));
  try {
    const unfinished = unfinishedFile(path);
    return await work(unfinished).catch((error: unknown) => {
      removeStoreFile(unfinished.path);
      throw error;
    });
  } finally {
    claim.release();
  }
}

/** The right to write a file. */
export type FileClaim = { readonly release: () => void };

/**
 * The lock of an empty database: the system releases it when the process ends for any reason. Throws `refused` while it is
 * held, and `StoreUnavailable` if the system does not allow a file at this place.
 */
export function claimOf(path: string, refused: () => Refusal): FileClaim {
  const file = `${path}.claim`;
  atPlace(path, () => closeSync(openSync(file, 'a', 0o600)));
  const place = placeOf(file);
  const db = connect(file, false);
  try {
    // The lock of an empty file writes a journal, for which a full disk has no room.
    db.exec('PRAGMA journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // The previous holder has deleted the lock file, and another process may have created a new one.
    if (!place.isKept()) throw refused();
  } catch (error) {
    db.close();
    throw isBusy(error) ? refused() : storeError(error, file);
  }
  return {
    release: () => {
      rmSync(file, { force: true });
      db.close();
    },
  };
}

function unfinishedFile(path: string): UnfinishedFile {
  const unfinished = `${path}.unfinished`;
  if (isWrittenElsewhere(unfinished)) throw storeInUse({ members: { file: basename(unfinished) } });
  removeStoreFile(unfinished);
  return {
    path: unfinished,
    finish: () => {
      removeCompanions(unfinished);
      sync(unfinished);
      // A link refuses a name that is taken; a rename would overwrite it.
      linkSync(unfinished, path);
      rmSync(unfinished);
      sync(dirname(path));
    },
    replace: (setAside) => {
      removeCompanions(unfinished);
      sync(unfinished);
      linkSync(path, setAside);
      // The log beside a file that was closed is empty. Beside a damaged file it may hold the only copy of events.
      if ((statSync(path + LOG, { throwIfNoEntry: false })?.size ?? 0) > 0)
        renameSync(path + LOG, setAside + LOG);
      removeCompanions(path);
      sync(dirname(path));
      renameSync(unfinished, path);
      sync(dirname(path));
    },
  };
}

/** A file that is no store is not in use: a kill may leave a partial file. */
function isWrittenElsewhere(path: string): boolean {
  try {
    return isOpenElsewhere(path);
  } catch (error) {
    if (error instanceof StoreUnusable) return false;
    throw error;
  }
}

function removeStoreFile(path: string): void {
  removeCompanions(path);
  rmSync(path, { force: true });
}

function removeCompanions(path: string): void {
  for (const companion of COMPANIONS) if (existsSync(path + companion)) rmSync(path + companion);
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
