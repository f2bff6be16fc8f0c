import { LRUCache } from 'lru-cache';
import type { DeclaredEndpoint } from './endpoint.js';

/** How many requests a caller may make; `burst` of them at once. */
export type RateLimit = { readonly requestsPerSecond: number; readonly burst: number };

/** Where a caller stands after a request was counted. */
export type RateLimitStanding = {
  readonly limit: number;
  /** Requests that could be made right now. */
  readonly remaining: number;
  /** Until all of `limit` are there again. */
  readonly resetSeconds: number;
  /** null: the request may pass; else when the next one may. */
  readonly retryAfterSeconds: number | null;
};

/** Counts one request of a caller. */
export type TakeToken = (caller: string | number) => RateLimitStanding;

/** Whether requests for an endpoint are counted: of a key, or of an address where there is none. */
export const isLimited = ({ caller, unlimited }: Pick<DeclaredEndpoint, 'caller' | 'unlimited'>): boolean =>
  caller === 'apiKey' || (caller === 'public' && unlimited !== true);

/**
 * A token bucket for each caller (OP-05): `burst` tokens, refilled at the rate; a request that finds none is
 * refused and costs nothing. A bucket is one number, the time at which it will be full again (the generic cell
 * rate algorithm, ITU-T I.371). Where there are too many, the longest unused is forgotten. Not a Map whose entries are
 * put at its end at each use: what is taken out of a Map stays in the chain of its bucket until the table is made anew,
 * so that a busy caller among 20,000 had its next request looked up for 20 us.
 */
export function createRateLimit(
  { requestsPerSecond, burst }: RateLimit,
  mostCallers: number,
  /** Monotonic. */
  nowMs: () => number,
): TakeToken {
  const tokenMs = 1000 / requestsPerSecond;
  const bucketMs = burst * tokenMs;
  const fullAtMs = new LRUCache<string | number, number>({ max: mostCallers });

  return (caller) => {
    const now = nowMs();
    const missingMs = Math.max(0, (fullAtMs.get(caller) ?? 0) - now);
    // what is left of a token after so many divisions must not keep a whole one back
    const passes = missingMs + tokenMs <= bucketMs + 1e-6;
    const afterMs = passes ? missingMs + tokenMs : missingMs;
    if (passes) fullAtMs.set(caller, now + afterMs);
    return {
      limit: burst,
      remaining: Math.max(0, Math.floor((bucketMs - afterMs) / tokenMs + 1e-6)),
      resetSeconds: Math.ceil(afterMs / 1000),
      retryAfterSeconds: passes ? null : Math.max(1, Math.ceil((missingMs + tokenMs - bucketMs) / 1000)),
    };
  };
}
