import { setImmediate as nextTurn } from 'node:timers/promises';
import { retryWhileBusy } from '#sqlite/busy.js';

/** So long may reads keep the event loop before other work gets its turn. */
const SLICE_MS = 8;

/** Runs synchronous reads of one file without keeping the event loop for long, again where they meet a lock. */
export type Reader = {
  readonly once: <Result>(read: () => Result) => Promise<Result>;
  readonly each: <Item, Result>(
    items: readonly Item[],
    read: (item: Item) => Result,
  ) => Promise<readonly Result[]>;
  /** Calls `step` until it answers true. */
  readonly until: (step: () => boolean) => Promise<void>;
};

export function sqliteReader(path: string): Reader {
  const once = <Result>(read: () => Result): Promise<Result> => retryWhileBusy(path, read);
  const until = async (step: () => boolean): Promise<void> => {
    for (;;) {
      const done = await once(() => {
        const endsMs = performance.now() + SLICE_MS;
        while (performance.now() < endsMs) if (step()) return true;
        return false;
      });
      if (done) return;
      await nextTurn();
    }
  };
  const each = async <Item, Result>(
    items: readonly Item[],
    read: (item: Item) => Result,
  ): Promise<Result[]> => {
    const results: Result[] = [];
    await until(() => {
      const item = items[results.length];
      if (item !== undefined) results.push(read(item));
      return results.length >= items.length;
    });
    return results;
  };
  return { once, each, until };
}
