import { clientError, type ReadCall } from './client-internals.js';

/** A call of the server, read at the reader's pace. */
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
  /**
   * Ends the call on the server; safe to call at any time. `isWhole`: everything that was asked for has arrived, so the
   * server is about to end the call itself.
   */
  readonly close: (isWhole?: boolean) => void;
};

export type PullOptions<Message, Item> = {
  /** The item in a message; null for an announcement, which is over with this call. */
  readonly itemOf: (message: Message) => Item | null;
  /** The call stops while so many items wait. */
  readonly most: number;
  readonly stops: readonly AbortSignal[];
};

/** A server that has sent everything and has not ended the call after this time is told to. */
const LATE_MS = 1_000;

/** Takes over the call, and its end. A call that never opens is one that never answers. */
export function pull<Message, Item>(
  opening: Promise<ReadCall>,
  { itemOf, most, stops }: PullOptions<Message, Item>,
): Pull<Item> {
  let source: ReadCall | null = null;
  const waiting: Item[] = [];
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
  const end = (call: ReadCall, isWhole: boolean): void => {
    if (ended) return;
    if (isWhole) {
      const late = setTimeout(() => call.cancel(), LATE_MS).unref();
      call.on('end', () => clearTimeout(late));
    } else {
      // Not in the turn in which its last message was read: the call would never end.
      setImmediate(() => call.cancel());
    }
    // The rest must be read: a cancelled call with unread data never ends in the client.
    call.resume();
  };
  opening.then((call) => {
    source = call;
    call.on('data', (message: Message) => {
      if (closed) return;
      const item = itemOf(message);
      if (item !== null && waiting.push(item) >= most) call.pause();
      wake();
    });
    // The listener stays: an error after the end must not become an uncaught error of the process.
    call.on('error', (error) => {
      if (!closed) fail(clientError(error));
    });
    call.on('end', () => {
      ended = true;
      wake();
    });
    if (closed) end(call, false);
  }, fail);
  const stop = ({ target }: { readonly target: unknown }): void =>
    fail(target instanceof AbortSignal ? target.reason : undefined);
  for (const signal of stops) {
    if (signal.aborted) fail(signal.reason);
    else signal.addEventListener('abort', stop, { once: true });
  }

  return {
    take: (count) => {
      const items = waiting.splice(0, count);
      if (source?.isPaused() === true && waiting.length < most) source.resume();
      if (items.length === 0 && failure !== null) throw failure.error;
      return items;
    },
    // A call that failed ends as well.
    isOver: () => ended && failure === null && waiting.length === 0,
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
    close: (isWhole = false) => {
      if (closed) return;
      closed = true;
      for (const signal of stops) signal.removeEventListener('abort', stop);
      if (source !== null) end(source, isWhole);
    },
  };
}
