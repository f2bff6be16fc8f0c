import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel/values/durations.js';
import type { Sent } from './send-delivery.js';

/** The pauses between attempts, in ms: ten attempts in all. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** The random part added to each pause, so that simultaneous failures are not retried simultaneously. */
const JITTER = 0.1;

/** The wait after this many failed attempts, in ms; null: it was the last attempt. `random` is within [0, 1). */
export function pauseAfter(attempts: number, random: number): number | null {
  const pauseMs = PAUSES_MS[attempts - 1];
  return pauseMs === undefined ? null : Math.round(pauseMs * (1 + JITTER * random));
}

/** The health of an endpoint, derived from its attempts. Times are real, in ms. */
export type Health = {
  /** Attempts since the last success. */
  readonly failures: number;
  /** When the first of them ended; null: there is none. */
  readonly failingSinceMs: number | null;
  /** The endpoint is paused until this time. */
  readonly slowUntilMs: number;
};

export const HEALTHY: Health = { failures: 0, failingSinceMs: null, slowUntilMs: 0 };

/** Statuses that signal overload of the receiver. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const LEFT_ALONE_MS = 5 * SECOND_MS;
const LONGEST_RETRY_AFTER_MS = HOUR_MS;
/** After this many failures in a row each further failure pauses the endpoint, longer each time. */
const FAILURES_AT_ONCE = 5;
const LONGEST_PAUSE_MS = MINUTE_MS;

/** The health after an attempt that ended at `nowMs`. */
export function healthAfter(
  health: Health,
  { outcome, statusCode, retryAfterMs }: Sent,
  nowMs: number,
): Health {
  if (outcome === 'delivered') return HEALTHY;
  const failures = health.failures + 1;
  const isOverloaded = statusCode !== null && OVERLOADED.has(statusCode);
  const beyond = failures - FAILURES_AT_ONCE;
  const pausesMs = [
    Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS),
    isOverloaded ? LEFT_ALONE_MS : 0,
    beyond <= 0 ? 0 : Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** Math.min(beyond, 10)),
  ];
  return {
    failures,
    failingSinceMs: health.failingSinceMs ?? nowMs,
    slowUntilMs: Math.max(health.slowUntilMs, nowMs + Math.max(...pausesMs)),
  };
}

const FAILED_ATTEMPTS = 10;
const WITHOUT_SUCCESS_MS = 5 * DAY_MS;

/** Whether an endpoint is given up: at least ten failed attempts, and no success for five days. */
export const isGivenUp = ({ failures, failingSinceMs }: Health, nowMs: number): boolean =>
  failures >= FAILED_ATTEMPTS && failingSinceMs !== null && nowMs - failingSinceMs >= WITHOUT_SUCCESS_MS;

/** Requests in flight for one endpoint: one, while it fails. */
export const mostInFlight = ({ failures }: Health): number => (failures === 0 ? 10 : 1);
