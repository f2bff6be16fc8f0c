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

type Pool = { left: number; readonly waiting: Set<() => void> };

/**
 * Limits the requests that one process has in flight for all endpoints. Hanging receivers do not delay others: after a
 * second their requests are counted separately.
 */
export function requestSlots(limits: SlotLimits, later: (ms: number, act: () => void) => () => void) {
  const poolOf = (left: number): Pool => ({ left, waiting: new Set() });
  const healthy = poolOf(limits.healthy);
  const troubled = poolOf(limits.troubled);
  const slow = poolOf(limits.slow);

  function free(pool: Pool): void {
    pool.left += 1;
    const [next] = pool.waiting;
    if (next === undefined) return;
    pool.waiting.delete(next);
    next();
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
