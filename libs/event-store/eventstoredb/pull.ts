import type { Readable } from 'node:stream';

/** A stream of the client, read at the reader's pace. */
export type Pull<Item> = {
  /**
   * Takes what has come, at most so many. Fewer than asked for means that everything which was announced before
   * (a checkpoint, the end) has been taken with it. Throws what ended the stream once all before it is taken.
   */
  readonly take: (most: number) => readonly Item[];
  /** True once the stream has ended in good order and everything was taken. */
  readonly isOver: () => boolean;
  /** Resolves when something may have changed; false when nothing did for so long. */
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
  // Listens for ever: an error after the end must not become one of the process.
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
      if (!isAwake) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          rouse = resolve;
          timer = setTimeout(resolve, withinMs);
          timer.unref();
        });
        rouse = null;
        clearTimeout(timer);
      }
      const woken = isAwake;
      isAwake = false;
      return woken;
    },
    wake,
    close: () => {
      if (closed) return;
      closed = true;
      for (const signal of stops) signal.removeEventListener('abort', stop);
      void cancel().catch(() => undefined);
      // What is left must flow away: a call that is cancelled with something unread never ends in the client.
      source.removeListener('readable', wake);
      source.resume();
    },
  };
}
