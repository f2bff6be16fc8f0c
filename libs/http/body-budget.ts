import type { IncomingMessage } from 'node:http';

/** Bytes of bodies that may be on their way, or held, at the same time. */
export type BodyBounds = { readonly ofCaller: number; readonly inAll: number };

/** Takes room for a body; the function gives it back, null where there is none. */
export type TakeRoom = (caller: string | number, bytes: number) => (() => void) | null;

/** Callers at most that are remembered although nothing of theirs is on its way: most come again at once. */
const MOST_IDLE = 1_000;

/** Counts by what was announced, before a byte is read: what never comes is held as well. */
export function bodyBudget({ ofCaller, inAll }: BodyBounds): TakeRoom {
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

/** How many bytes a request may bring, at most those that are held of any; one in pieces does not say. */
export function announcedBytes({ headers }: IncomingMessage, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit;
  return Math.min(limit, Number(headers['content-length'] ?? 0));
}
