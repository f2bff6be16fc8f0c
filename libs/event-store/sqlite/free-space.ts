import { rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { FilePlace } from '#sqlite/file-place.js';
import { sqliteCode } from '#sqlite/sqlite-errors.js';

/** SQLITE_IOERR (a quota that is used up, too) and SQLITE_FULL. */
const CANNOT_GROW = new Set([10, 13]);
/** The space that the largest append may need, with its pages in the log and in the file. */
const MIN_FREE_BYTES = 1024 * 1024;
/** Written to test whether a write is possible. */
const TRIAL_BYTES = 64 * 1024;

export type FreeSpace = ReturnType<typeof freeSpaceOf>;

/** Whether the file of a connection can grow: by its own bound, by its file system, and by the last failed append. */
export function freeSpaceOf(db: DatabaseSyncInstance, path: string, place: FilePlace) {
  const pages = db.prepare(
    'SELECT page_count AS used, freelist_count AS free FROM pragma_page_count, pragma_freelist_count',
  );
  const most = db.prepare('PRAGMA max_page_count');
  const full = (why: string): StoreUnavailable => new StoreUnavailable(`${path} has no room to grow: ${why}`);
  let wasRefused = false;
  let trial: Promise<void> | null = null;

  /** Limits that cannot be queried, such as a quota, appear when something is written. */
  const tryOut = async (): Promise<void> => {
    const file = `${path}-room`;
    try {
      await writeFile(file, Buffer.alloc(TRIAL_BYTES), { mode: 0o600 });
      wasRefused = false;
    } catch (error) {
      throw full(error instanceof Error ? error.message : String(error));
    } finally {
      await rm(file, { force: true });
    }
  };
  return {
    /** Notes SQLite's error of a failed append. */
    refused: (error: unknown): void => {
      if (CANNOT_GROW.has(sqliteCode(error) ?? -1)) wasRefused = true;
    },
    /** Throws `StoreUnavailable` while the file cannot grow, or was moved or removed. */
    require: async (): Promise<void> => {
      place.require();
      const { used, free } = pages.get();
      if (free === 0 && used >= Number(most.get().max_page_count))
        throw full('it has reached its size limit');
      if ((await spaceOnDisk(path)) < MIN_FREE_BYTES) throw full('the disk is full');
      if (!wasRefused) return;
      trial ??= tryOut().finally(() => {
        trial = null;
      });
      await trial;
    },
  };
}

/** Bytes that this user may still write where a file lies; Infinity if the file system does not report it. */
async function spaceOnDisk(path: string): Promise<number> {
  const { bsize, blocks, bfree, bavail } = await statfs(dirname(path));
  if (blocks === 0) return Infinity;
  return bsize * (process.getuid?.() === 0 ? bfree : bavail);
}
