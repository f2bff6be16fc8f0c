import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { storeInUse } from '#event-store/copy/copy-refusals.js';
import { isOpenElsewhere } from '#event-store/sqlite/open-elsewhere.js';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';

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

/** Begins anew: what an earlier attempt left behind goes. Throws `storeInUse` while another process is at it. */
export function unfinishedFile(path: string): UnfinishedFile {
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
