import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReturnedSpace, ReadStore } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';

/** Pages that are moved in one transaction: some milliseconds of the event loop and of the write lock. */
const PAGES_AT_ONCE = 256;

/**
 * Moves pages from the end of the file into free ones and shortens the file. A file of an earlier version has no record of which
 * page points to which (`auto_vacuum`), so it keeps its free pages for later writes.
 */
export function sqliteReturnedSpace({
  statement,
  read,
  write,
}: Connection): Required<Pick<ReadStore, 'giveBackSpace'>> {
  const freeBytes = (): number => Number(statement(FREE_BYTES_SQL).get()?.['bytes']);

  return {
    async giveBackSpace(onProgress) {
      const before = await read(freeBytes);
      let space: ReturnedSpace = { givenBack: 0, left: before };
      while (space.left > 0) {
        const left = await write(() => {
          statement(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`).all();
          return freeBytes();
        });
        if (left >= space.left) break;
        space = { givenBack: before - left, left };
        onProgress(space);
        await nextTurn();
      }
      return space;
    },
  };
}

const FREE_BYTES_SQL =
  'SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size';
