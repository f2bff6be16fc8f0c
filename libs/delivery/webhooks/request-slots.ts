export type SlotLimits = {
  /** For healthy endpoints. */
  readonly healthy: number;
  /** For failing endpoints, so that they do not delay healthy ones. */
  readonly troubled: number;
  /**
   * For requests without an answer after `slowAfterMs`: they return their slot and take one of these, if one is left.
   */
  readonly slow: number;
  readonly slowAfterMs: number;
};

type Pool = {
  left: number;
  readonly waiting: Set<() => void>;
  /** Whether a timer will look for a free slot that nobody has taken. */
  isWatched: boolean;
};

/** A waiter that has use for a free slot takes it sooner. */
const UNUSED_AFTER_MS = 100;

/**
 * Limits the requests that one process has in flight for all endpoints. Hanging receivers do not delay others: after a
 * second their requests are counted separately.
 */
export function requestSlots(limits: SlotLimits, later: (ms: number, act: () => void) => () => void) {
  const poolOf = (left: number): Pool => ({ left, waiting: new Set(), isWatched: false });
  const healthy = poolOf(limits.healthy);
  const troubled = poolOf(limits.troubled);
  const slow = poolOf(limits.slow);

  function wakeFirst({ waiting }: Pool, count: number): void {
    for (const wake of [...waiting].slice(0, count)) {
      waiting.delete(wake);
      wake();
    }
  }

  /**
   * Wakes the longest waiter. It may have no use for the slot any more, for example because its endpoint is paused: then
   * all others are woken. To wake all of them at once for each slot would take much time while many wait.
   */
  function free(pool: Pool): void {
    pool.left += 1;
    if (pool.waiting.size === 0) return;
    wakeFirst(pool, 1);
    if (pool.isWatched) return;
    pool.isWatched = true;
    later(UNUSED_AFTER_MS, () => {
      pool.isWatched = false;
      if (pool.left > 0) wakeFirst(pool, pool.waiting.size);
    });
  }

  return {
    /**
     * Takes a slot and returns a function that frees it; null while all are taken: `wake` is then called once when one
     * is free.
     */
    take(isTroubled: boolean, wake: () => void): (() => void) | null {
      let pool = isTroubled ? troubled : healthy;
      if (pool.left === 0) {
        pool.waiting.add(wake);
        return null;
      }
      pool.left -= 1;
      const endTimer = isTroubled
        ? () => undefined
        : later(limits.slowAfterMs, () => {
            if (slow.left === 0) return;
            slow.left -= 1;
            pool = slow;
            free(healthy);
          });
      return () => {
        endTimer();
        free(pool);
      };
    },
  };
}
