import type { IncomingMessage } from 'node:http';

/** The maximum number of bytes of bodies that are being received or held at the same time. */
export type BodyBounds = { readonly ofCaller: number; readonly inAll: number };

/** Reserves bytes for a body; the returned function releases them; null if too many are reserved. */
export type ReserveBytes = (caller: string | number, bytes: number) => (() => void) | null;

/** The maximum number of callers kept without a body in progress: most call again soon. */
const MOST_IDLE = 1_000;

/** Counts the announced sizes, before a byte is read: announced bytes count even if they never arrive. */
export function bodyBudget({ ofCaller, inAll }: BodyBounds): ReserveBytes {
  const callers = new Map<string | number, { taken: number }>();
  let all = 0;
  return (caller, bytes) => {
    const known = callers.get(caller);
    const own = known ?? { taken: 0 };
    if (all + bytes > inAll || own.taken + bytes > ofCaller) return null;
    if (known === undefined) callers.set(caller, own);
    own.taken += bytes;
    all += bytes;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      own.taken -= bytes;
      all -= bytes;
      if (own.taken === 0 && callers.size > MOST_IDLE) callers.delete(caller);
    };
  };
}

/** The number of bytes of a request's body, at most the maximum that is held; a chunked body announces none. */
export function announcedBytes({ headers }: IncomingMessage, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit;
  return Math.min(limit, Number(headers['content-length'] ?? 0));
}
