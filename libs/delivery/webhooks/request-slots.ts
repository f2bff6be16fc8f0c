/** The requests that one process has in flight for all endpoints. */
export type RequestSlots = {
  /** Takes a slot and gives what frees it; null while all are taken: `wake` is then called once when one is free. */
  readonly take: (isTroubled: boolean, wake: () => void) => (() => void) | null;
};

/** Endpoints that fail share slots of their own: those that answer are not kept waiting by them. */
export function requestSlots(healthy: number, troubled: number): RequestSlots {
  const pools = [healthy, troubled].map((most) => ({ left: most, waiting: new Set<() => void>() }));
  return {
    take(isTroubled, wake) {
      const pool = pools[Number(isTroubled)];
      if (pool === undefined) return null;
      if (pool.left === 0) {
        pool.waiting.add(wake);
        return null;
      }
      pool.left -= 1;
      return () => {
        pool.left += 1;
        const [next] = pool.waiting;
        if (next === undefined) return;
        pool.waiting.delete(next);
        next();
      };
    },
  };
}
