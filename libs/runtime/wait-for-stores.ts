import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';

export type StoreWait = {
  /** How long to wait for stores, in milliseconds; 0: not at all. */
  readonly patienceMs: number;
  /** Ends the wait when the process is stopped. */
  readonly stopping?: AbortSignal | undefined;
  /** Called at the first failure and every `REPORTS_EVERY_MS` after it: the unavailable store and the remaining wait. */
  readonly onWait: (reason: string, secondsLeft: number) => void;
  /** Milliseconds of real time. */
  readonly nowMs?: () => number;
  readonly pause?: (ms: number, stopping?: AbortSignal) => Promise<unknown>;
};

const RETRIES_EVERY_MS = 500;
const REPORTS_EVERY_MS = 5_000;

/**
 * Opens the stores of a service and retries while one of them is unavailable. Rejects with the last
 * `StoreUnavailable` after the time limit or when the process is stopped, and with any other error immediately: other
 * faults of a store are permanent.
 */
export async function waitForStores<Opened>(
  open: () => Promise<Opened>,
  { patienceMs, stopping, onWait, nowMs = () => performance.now(), pause = paused }: StoreWait,
): Promise<Opened> {
  const until = nowMs() + patienceMs;
  let reportedAtMs = -Infinity;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const left = until - nowMs();
      if (!(error instanceof StoreUnavailable) || left <= 0 || stopping?.aborted === true) throw error;
      if (nowMs() - reportedAtMs >= REPORTS_EVERY_MS) {
        reportedAtMs = nowMs();
        onWait(error.message, Math.ceil(left / 1_000));
      }
      await pause(Math.min(RETRIES_EVERY_MS, left), stopping);
    }
  }
}

/** Ends early and without an error when the process is stopped. */
const paused = (ms: number, signal?: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
