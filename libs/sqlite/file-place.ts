import { statSync, type BigIntStats } from 'node:fs';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { fileError } from './file-error.js';

/** Whether an open file still has its name: data written to a file without a name is lost when the file is closed. */
export type FilePlace = {
  readonly isKept: () => boolean;
  /** Throws `StoreUnavailable` if the name now belongs to another file or to none, or if the system does not tell. */
  readonly require: () => void;
};

/** Remembers the device and the inode of a file; call it right after the file was opened. */
export function placeOf(path: string): FilePlace {
  const opened = identityOf(path);
  const isOpened = (found: BigIntStats | null): boolean =>
    found !== null && opened !== null && found.dev === opened.dev && found.ino === opened.ino;
  return {
    isKept: () => isOpened(identityOf(path)),
    require: () => {
      const found = identityOf(path);
      if (isOpened(found)) return;
      const what = found === null ? 'was removed' : 'was replaced by another file';
      throw new StoreUnavailable(
        `${path} ${what} while this process has it open; nothing is written until the file is back ` +
          '(or stop the service and restore a backup)',
      );
    },
  };
}

function identityOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw fileError(error, path, 'read');
  }
}
