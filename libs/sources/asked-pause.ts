import { retryAfterMs } from '#outbound/retry-after.js';

/** No host can stop its sources for longer: a mistaken date would stop them for ever. */
export const LONGEST_PAUSE_MS = 604_800_000;

/** The wait that a Retry-After asks for, in milliseconds; 0 for none. */
export const askedPauseMs = (header: string | undefined, nowMs: number): number =>
  Math.min(retryAfterMs(header, nowMs), LONGEST_PAUSE_MS);

/** With a Retry-After these statuses apply to the host, not only to this address. */
export const OVERLOADED: ReadonlySet<number> = new Set([429, 503]);
