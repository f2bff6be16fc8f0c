import { LRUCache } from 'lru-cache';
import type { DeclaredEndpoint } from './endpoint.js';

/** The allowed requests of a caller; `burst` of them at once. */
export type RateLimit = { readonly requestsPerSecond: number; readonly burst: number };

/** The state of a caller after a request was counted. */
export type RateLimitStanding = {
  readonly limit: number;
  /** Requests that are allowed right now. */
  readonly remaining: number;
  /** Seconds until all of `limit` are available again. */
  readonly resetSeconds: number;
  /** null: the request is allowed; otherwise the seconds until the next one is. */
  readonly retryAfterSeconds: number | null;
};

/** Counts one request of a caller. */
export type TakeToken = (caller: string | number) => RateLimitStanding;

/** Whether requests for an endpoint are counted: by key, or by address without a key. */
export const isLimited = ({ caller, unlimited }: Pick<DeclaredEndpoint, 'caller' | 'unlimited'>): boolean =>
  caller === 'apiKey' || (caller === 'public' && unlimited !== true);

/**
 * A token bucket for each caller (OP-05): `burst` tokens, refilled at the rate; a request without a token is refused
 * and costs nothing. A bucket is one number, the time at which it will be full again (the generic cell rate
 * algorithm, ITU-T I.371). If there are too many, the least recently used is removed. It is not a Map with
 * re-inserted entries: a removed entry stays in the chain of its hash bucket until the table is rebuilt, so that the
 * look-up of a busy caller among 20,000 took 20 us.
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
    // rounding after many divisions must not keep a whole token back
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
