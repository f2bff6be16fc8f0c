export type Changes = {
  /** Grows whenever something may have been appended. Read it before reading events, and pass it to `after`. */
  readonly count: () => number;
  /** Notes an append through this connection. */
  readonly announce: () => void;
  /** Resolves once the count is past `seen`, or the signal aborts, or the store closes. */
  readonly after: (seen: number, signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

/**
 * Calls back whenever another process may have written, until the returned function is called; null if there are no
 * notifications.
 */
export type WatchWrites = (written: () => void) => (() => void) | null;

export type ChangesOptions = {
  /** Changes once another connection has written. Cheap but not free: it takes a lock. */
  readonly othersVersion: () => number | null;
  readonly pollMs: number;
  readonly watchWrites: WatchWrites;
  /** Called for each write of another connection before the waiting readers. */
  readonly onOthersWrite: () => void;
};

/**
 * A notification of a write comes before the write is visible: so many checks follow, the first ones at short
 * intervals.
 */
const NEAR_LOOKS = 10;
/** After so many checks without a change the store is idle: waiting readers then rely on notifications. */
const IDLE_AFTER_LOOKS = 40;
/** An idle store is still checked this often, because a notification may get lost. */
const IDLE_POLL_FACTOR = 20;

/**
 * Notifies waiting subscriptions of possible new events: immediately for appends of this connection, and for those of
 * others by a check of `othersVersion`. If other processes write, or none does, notifications say when to check;
 * else the check runs every `pollMs`. The check runs only while a reader waits, and does not keep the process alive.
 */
export function watchChanges({ othersVersion, pollMs, watchWrites, onOthersWrite }: ChangesOptions): Changes {
  const waiting = new Set<() => void>();
  /** Signals with a listener: a follower waits with the same signal as long as it follows. */
  const heard = new WeakSet<AbortSignal>();
  let count = 0;
  let closed = false;
  let lastVersion = othersVersion();
  /** Checks without a change since the last change or notification. */
  let looks = NEAR_LOOKS;
  let looksSinceOthers = Number.POSITIVE_INFINITY;
  /** A reader has waited since the last check. */
  let isAwaited = false;
  let isPolledNext = false;
  let timer: NodeJS.Timeout | null = null;
  let timerMs = 0;
  let unwatch: (() => void) | null = null;

  const wakeWaiting = (): void => {
    for (const wake of [...waiting]) wake();
  };
  const wakeAll = (): void => {
    looks = NEAR_LOOKS;
    count += 1;
    wakeWaiting();
  };
  /** Also notifies readers with other signals: they check, find nothing, and wait again. */
  const hear = (signal: AbortSignal): void => {
    if (heard.has(signal)) return;
    heard.add(signal);
    signal.addEventListener('abort', wakeWaiting, { once: true });
  };
  const stopWatching = (): void => {
    unwatch?.();
    unwatch = null;
  };
  const announce = (): void => {
    // A single writer need not be notified of its own write.
    if (looksSinceOthers >= IDLE_AFTER_LOOKS) stopWatching();
    wakeAll();
  };
  const poll = (): void => {
    const version = othersVersion();
    if (version === lastVersion) return;
    lastVersion = version;
    looksSinceOthers = 0;
    onOthersWrite();
    unwatch ??= watchWrites(onWrite);
    wakeAll();
  };
  /**
   * Appends of other processes from before the watch are found now and not at the next check; but the readers that
   * waited continue first.
   */
  const pollInNextTurn = (): void => {
    if (isPolledNext) return;
    isPolledNext = true;
    setImmediate(() => {
      isPolledNext = false;
      if (waiting.size > 0) poll();
    });
  };
  const pauseMs = (): number => {
    if (looks < NEAR_LOOKS) return Math.min(pollMs, 2 ** (looks >> 1));
    return looks < NEAR_LOOKS + IDLE_AFTER_LOOKS || unwatch === null ? pollMs : pollMs * IDLE_POLL_FACTOR;
  };
  const lookIn = (ms: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = closed ? null : setTimeout(look, ms).unref();
    timerMs = ms;
  };
  const onWrite = (): void => {
    looks = 0;
    if (waiting.size > 0) poll();
    lookIn(pauseMs());
  };
  const look = (): void => {
    timer = null;
    if (waiting.size === 0) {
      // A reader that continues waits again soon; a reader that does not has left.
      if (isAwaited) lookIn(pollMs * IDLE_POLL_FACTOR);
      else stopWatching();
      isAwaited = false;
      return;
    }
    looks += 1;
    looksSinceOthers += 1;
    if (looks === NEAR_LOOKS + IDLE_AFTER_LOOKS) unwatch ??= watchWrites(onWrite);
    // Also right after the watch starts: there is no notification for writes just before.
    poll();
    lookIn(pauseMs());
  };

  return {
    count: () => count,
    announce,
    after: (seen, signal) =>
      new Promise((resolve) => {
        if (count !== seen || signal.aborted || closed) return resolve();
        const wake = (): void => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
        hear(signal);
        if (timer === null || timerMs > pauseMs()) lookIn(pauseMs());
        isAwaited = true;
        pollInNextTurn();
      }),
    close: () => {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      stopWatching();
      wakeAll();
    },
  };
}
