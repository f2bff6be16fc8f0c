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
  /** Told of each write of another connection before those who wait are. */
  readonly onForeign: () => void;
};

/** Who is told of a write is told before it can be seen: so many looks follow, the first ones close by. */
const NEAR_LOOKS = 10;
/** After so many looks in vain the store is idle: who waits is told from then on. */
const IDLE_AFTER_LOOKS = 40;
/** So often an idle store is looked at all the same: a notice may get lost. */
const IDLE_POLL_FACTOR = 20;

/**
 * Tells waiting subscriptions that there may be new events: at once for appends of this connection, and for those of
 * others by a look at `foreignVersion`. Where others write, or nobody does, it is told when to look; else it looks every
 * `pollMs`. The look is taken only while someone waits, and does not keep the process alive.
 */
export function watchChanges({ foreignVersion, pollMs, watchWrites, onForeign }: ChangesOptions): Changes {
  const waiting = new Set<() => void>();
  /** Signals that are listened to: whoever follows waits with the same one for as long as it follows. */
  const heard = new WeakSet<AbortSignal>();
  let count = 0;
  let closed = false;
  let lastVersion = foreignVersion();
  /** Looks in vain since something was seen or told. */
  let looks = NEAR_LOOKS;
  let looksSinceOthers = Number.POSITIVE_INFINITY;
  /** Somebody waited since the last look. */
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
  /** Wakes those of other signals, too: they look, find nothing, and wait again. */
  const hear = (signal: AbortSignal): void => {
    if (heard.has(signal)) return;
    heard.add(signal);
    signal.addEventListener('abort', wakeWaiting, { once: true });
  };
  const beUntold = (): void => {
    unwatch?.();
    unwatch = null;
  };
  const announce = (): void => {
    // Who writes alone need not be told of it.
    if (looksSinceOthers >= IDLE_AFTER_LOOKS) beUntold();
    wakeAll();
  };
  const poll = (): void => {
    const version = foreignVersion();
    if (version === lastVersion) return;
    lastVersion = version;
    looksSinceOthers = 0;
    onForeign();
    unwatch ??= watchWrites(told);
    wakeAll();
  };
  /**
   * Whatever was appended elsewhere while nobody watched is noticed now and not only at the next look; but those go on
   * first who were waited for.
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
  const told = (): void => {
    looks = 0;
    if (waiting.size > 0) poll();
    lookIn(pauseMs());
  };
  const look = (): void => {
    timer = null;
    if (waiting.size === 0) {
      // Who reads on comes back soon; who does not has left.
      if (isAwaited) lookIn(pollMs * IDLE_POLL_FACTOR);
      else beUntold();
      isAwaited = false;
      return;
    }
    looks += 1;
    looksSinceOthers += 1;
    if (looks === NEAR_LOOKS + IDLE_AFTER_LOOKS) unwatch ??= watchWrites(told);
    // Also right after it is watched: what was written just before tells nobody.
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
      beUntold();
      wakeAll();
    },
  };
}
