import type { Readable } from 'node:stream';

/** A stream of the client, read at the reader's pace. */
export type Pull<Item> = {
  /**
   * Takes at most so many received records. Fewer than requested means that everything announced before (a
   * checkpoint, the end) was taken with them. Throws the error that ended the stream once all records before it are
   * taken.
   */
  readonly take: (most: number) => readonly Item[];
  /** True once the stream has ended without an error and everything was taken. */
  readonly isOver: () => boolean;
  /** Resolves when something may have changed; false if nothing did within the time limit. */
  readonly arrival: (withinMs: number) => Promise<boolean>;
  readonly wake: () => void;
  /** Ends the call on the server; safe to call at any time. */
  readonly close: () => void;
};

/** `cancel` ends the call: leaving a loop over the stream does not. */
export function pull<Item>(
  source: Readable,
  cancel: () => Promise<void>,
  stops: readonly AbortSignal[],
): Pull<Item> {
  let failure: { readonly error: unknown } | null = null;
  let ended = false;
  let closed = false;
  let isAwake = false;
  let rouse: (() => void) | null = null;
  const wake = (): void => {
    isAwake = true;
    rouse?.();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    wake();
  };
  // The listener stays: an error after the end must not become an uncaught error of the process.
  source.on('error', fail);
  source.on('readable', wake);
  source.on('end', () => {
    ended = true;
    wake();
  });
  const stop = ({ target }: { readonly target: unknown }): void =>
    fail(target instanceof AbortSignal ? target.reason : undefined);
  for (const signal of stops) {
    if (signal.aborted) fail(signal.reason);
    else signal.addEventListener('abort', stop, { once: true });
  }

  return {
    take: (most) => {
      const items: Item[] = [];
      while (items.length < most) {
        const item = source.read() as Item | null;
        if (item === null) break;
        items.push(item);
      }
      if (items.length === 0 && failure !== null) throw failure.error;
      return items;
    },
    isOver: () => ended,
    arrival: async (withinMs) => {
      // The wake for an error may have been used by the records before it.
      if (!isAwake && failure === null) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          rouse = resolve;
          timer = setTimeout(resolve, withinMs);
          timer.unref();
        });
        rouse = null;
        clearTimeout(timer);
      }
      const woken = isAwake || failure !== null;
      isAwake = false;
      return woken;
    },
    wake,
    close: () => {
      if (closed) return;
      closed = true;
      for (const signal of stops) signal.removeEventListener('abort', stop);
      void cancel().catch(() => undefined);
      // The rest must be read: a cancelled call with unread data never ends in the client.
      source.removeListener('readable', wake);
      source.resume();
    },
  };
}
