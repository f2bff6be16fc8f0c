export type Changes = {
  /** Grows whenever something may have been appended. Take it before reading, hand it to `after`. */
  readonly count: () => number;
  /** Something was appended through this connection. */
  readonly announce: () => void;
  /** Resolves once the count is past `seen`, or the signal aborts, or the store closes. */
  readonly after: (seen: number, signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

/**
 * Tells waiting subscriptions that there may be new events: at once for appends of this connection, and by a
 * cheap look at `foreignVersion` for those of others. The look is taken only while someone waits, and
 * does not keep the process alive.
 */
export function watchChanges(foreignVersion: () => number | null, pollMs: number): Changes {
  const waiting = new Set<() => void>();
  let count = 0;
  let closed = false;
  let lastVersion = foreignVersion();
  let timer: NodeJS.Timeout | null = null;

  const announce = (): void => {
    count += 1;
    for (const wake of [...waiting]) wake();
  };
  const poll = (): void => {
    const version = foreignVersion();
    if (version === lastVersion) return;
    lastVersion = version;
    announce();
  };
  const watchWhileAwaited = (): void => {
    if (waiting.size > 0) timer ??= setInterval(poll, pollMs).unref();
    else if (timer !== null) {
      clearInterval(timer);
      timer = null;
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
