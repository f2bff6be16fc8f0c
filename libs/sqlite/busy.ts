import { setTimeout as delay } from 'node:timers/promises';
import { isBusy, storeError } from './sqlite-errors.js';

/** How long SQLite itself may wait for a lock. It waits inside the call and so stops the whole event loop. */
export const BUSY_TIMEOUT_MS = 10;

/** How long a store waits for a lock before it is unavailable. */
export const LOCK_PATIENCE_MS = 5_000;

const LONGEST_PAUSE_MS = 50;

/**
 * Runs a synchronous attempt and repeats it after a pause, without blocking, while another connection holds the lock.
 * The attempt must leave no transaction open when it throws. Rejects with `StoreUnavailable` after the time limit,
 * and with other errors as `storeError` reads them.
 */
export async function retryWhileBusy<Result>(
  path: string,
  attempt: () => Result,
  patienceMs: number = LOCK_PATIENCE_MS,
): Promise<Result> {
  const startedMs = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedMs >= patienceMs) throw storeError(error, path);
    }
    // Half of the pause is random, so that two processes do not collide again and again.
    await delay(pauseMs * (0.5 + Math.random() / 2));
  }
}
