import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { storeInUse } from '#event-store/copy/copy-refusals.js';
import { isOpenElsewhere } from '#event-store/sqlite/open-elsewhere.js';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import type { Refusal } from '#kernel/values/refusal.js';
import { placeOf } from '#sqlite/file-place.js';
import { makeFolder } from '#sqlite/make-folder.js';
import { connect } from '#sqlite/open-database.js';
import { isBusy, storeError } from '#sqlite/sqlite-errors.js';

/** What SQLite puts beside a file. */
const COMPANIONS = ['-wal', '-shm'];

/** A file that is made under another name and gets its own when it is whole: a kill leaves no half one. */
export type UnfinishedFile = {
  /** The name that it is made under. */
  readonly path: string;
  /** Gives it its own name. Rejects where something has that name by now. */
  readonly finish: () => void;
  /** Takes the place of the closed store file that has the name, which goes on under another; one of both is always there. */
  readonly replace: (setAside: string) => void;
};

/**
 * Makes a file of this name, from the beginning: what an earlier attempt left behind goes. Throws `storeInUse` while
 * another process, or another part of this one, makes a file of the same name.
 */
export async function withUnfinishedFile<Result>(
  path: string,
  work: (unfinished: UnfinishedFile) => Promise<Result>,
): Promise<Result> {
  const claim = claimOf(path);
  try {
    return await work(unfinishedFile(path));
  } finally {
    claim.release();
  }
}

/** The lock of an empty database: the system lets go of it when the process ends, however it ends. */
function claimOf(path: string): { readonly release: () => void } {
  const file = `${path}.claim`;
  makeFolder(dirname(path));
  closeSync(openSync(file, 'a', 0o600));
  const place = placeOf(file);
  const db = connect(file, false);
  const refused = (): Refusal => storeInUse({ members: { file: basename(path) } });
  try {
    db.exec('BEGIN EXCLUSIVE');
    // Who had it before took the file away, and somebody else may have made the next one.
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
      // A link refuses a name that is taken; a rename would put itself over it.
      linkSync(unfinished, path);
      rmSync(unfinished);
      sync(dirname(path));
    },
    replace: (setAside) => {
      removeCompanions(unfinished);
      sync(unfinished);
      // What SQLite left beside a closed file is empty.
      removeCompanions(path);
      linkSync(path, setAside);
      sync(dirname(path));
      renameSync(unfinished, path);
      sync(dirname(path));
    },
  };
}

/** What is no store at all is nobody's: a kill may leave a file that was only begun. */
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
