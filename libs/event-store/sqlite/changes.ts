export type Changes = {
  /** Grows whenever something may have been appended. Take it before reading, hand it to `after`. */
  readonly count: () => number;
  /** Something was appended through this connection. */
  readonly announce: () => void;
  /** Resolves once the count is past `seen`, or the signal aborts, or the store closes. */
  readonly after: (seen: number, signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

/** Calls back whenever somebody may have written, until what it gives is called; null where nobody tells. */
export type WatchWrites = (written: () => void) => (() => void) | null;

export type ChangesOptions = {
  /** Differs once another connection has written. Cheap, and not free: it takes a lock. */
  readonly foreignVersion: () => number | null;
  readonly pollMs: number;
  readonly watchWrites: WatchWrites;
};

/** After so many looks in vain the store is idle: who waits is told from then on. */
const IDLE_AFTER_LOOKS = 40;
/** So often an idle store is looked at all the same: a notice may get lost. */
const IDLE_POLL_FACTOR = 20;

/**
 * Tells waiting subscriptions that there may be new events: at once for appends of this connection, and by a
 * look at `foreignVersion` for those of others. The look is taken only while someone waits, every `pollMs` while
 * there is something to see, and does not keep the process alive.
 */
export function watchChanges({ foreignVersion, pollMs, watchWrites }: ChangesOptions): Changes {
  const waiting = new Set<() => void>();
  let count = 0;
  let closed = false;
  let lastVersion = foreignVersion();
  let vainLooks = 0;
  let timer: NodeJS.Timeout | null = null;
  let unwatch: (() => void) | null = null;

  const announce = (): void => {
    count += 1;
    for (const wake of [...waiting]) wake();
  };
  const poll = (): void => {
    const version = foreignVersion();
    if (version === lastVersion) return;
    lastVersion = version;
    beBusy();
    announce();
  };
  const beBusy = (): void => {
    vainLooks = 0;
    unwatch?.();
    unwatch = null;
  };
  /** It may be told before it can be seen: from then on it is looked for as often as at work. */
  const told = (): void => {
    beBusy();
    if (timer !== null) clearTimeout(timer);
    timer = null;
    watchWhileAwaited();
    poll();
  };
  const look = (): void => {
    timer = null;
    vainLooks += 1;
    if (vainLooks === IDLE_AFTER_LOOKS) unwatch = watchWrites(told);
    // Also right after it is watched: what was written just before tells nobody.
    poll();
    watchWhileAwaited();
  };
  const watchWhileAwaited = (): void => {
    if (waiting.size > 0 && !closed)
      timer ??= setTimeout(look, unwatch === null ? pollMs : pollMs * IDLE_POLL_FACTOR).unref();
    else {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      beBusy();
    }
  };

  return {
    count: () => count,
    announce,
    after: (seen, signal) =>
      new Promise((resolve) => {
        if (count !== seen || signal.aborted || closed) return resolve();
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          watchWhileAwaited();
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        watchWhileAwaited();
        // Whatever was appended elsewhere while nobody watched is noticed now and not only at the next look.
        poll();
      }),
    close: () => {
      closed = true;
      announce();
    },
  };
}
