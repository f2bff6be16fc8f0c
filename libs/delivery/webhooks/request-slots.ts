/** The requests that one process has in flight for all endpoints. */
export type RequestSlots = {
  /** Takes a slot and gives what frees it; null while all are taken: `wake` is then called once when one is free. */
  readonly take: (isTroubled: boolean, wake: () => void) => (() => void) | null;
};

export type SlotLimits = {
  /** For endpoints that answer. */
  readonly healthy: number;
  /** For endpoints that fail: those that answer are not kept waiting by them. */
  readonly troubled: number;
  /** For requests without an answer after `slowAfterMs`: they give their slot back and have one of these, where one is left. */
  readonly slow: number;
  readonly slowAfterMs: number;
};

type Pool = { left: number; readonly waiting: Set<() => void> };

/** Receivers that hang keep nobody waiting: after a second their requests count apart. */
export function requestSlots(
  limits: SlotLimits,
  later: (ms: number, act: () => void) => () => void,
): RequestSlots {
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
    take(isTroubled, wake) {
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
