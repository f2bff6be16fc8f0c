import { backgroundTurn } from '#kernel/commands/background-turn.js';
import { retryWhileBusy } from '#sqlite/busy.js';

/** How long reads may occupy the event loop before other work runs. */
const SLICE_MS = 4;

/**
 * Runs synchronous reads of one file without occupying the event loop for long; a read that meets a lock is repeated.
 */
export type Reader = {
  readonly once: <Result>(read: () => Result) => Promise<Result>;
  readonly each: <Item, Result>(
    items: readonly Item[],
    read: (item: Item) => Result,
  ) => Promise<readonly Result[]>;
  /** Calls `step` until it returns true. */
  readonly until: (step: () => boolean) => Promise<void>;
};

export function sqliteReader(path: string): Reader {
  const slice = sharedSlice();
  const once = async <Result>(read: () => Result): Promise<Result> => {
    while (slice.isOver()) await slice.next();
    return retryWhileBusy(path, read);
  };
  const until = async (step: () => boolean): Promise<void> => {
    for (let isDone = false; !isDone;) {
      isDone = await once(() => {
        do if (step()) return true;
        while (!slice.isOver());
        return false;
      });
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

/**
 * The time slice of all reads in one turn of the event loop. A finished read is followed by the next one within the
 * same turn, because nothing was awaited: separate slices would add up to seconds.
 */
function sharedSlice(): { readonly isOver: () => boolean; readonly next: () => Promise<void> } {
  let endsMs: number | null = null;
  let next: Promise<void> | null = null;
  return {
    isOver: () => {
      if (endsMs !== null) return performance.now() >= endsMs;
      endsMs = performance.now() + SLICE_MS;
      setImmediate(() => (endsMs = null));
      return false;
    },
    // All waiting reads share the next slice too.
    next: () =>
      (next ??= backgroundTurn().then(() => {
        next = null;
        endsMs = null;
      })),
  };
}
