/** How often and how long to retry when a store is busy or another writer was faster. */
export type RetryPolicy = {
  readonly tries: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** No further attempt starts after this time: an attempt may itself take long. Absent: no bound. */
  readonly patienceMs?: number;
};

/** Waits before try number `attempt` (0-based): exponential with full jitter, in milliseconds. */
export function backoffMs(policy: RetryPolicy, attempt: number, random: () => number = Math.random): number {
  return Math.ceil(random() * Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** attempt));
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
