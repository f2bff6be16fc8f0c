import type { IncomingMessage } from 'node:http';

/** Bytes of bodies that may be on their way, or held, at the same time. */
export type BodyBounds = { readonly ofCaller: number; readonly inAll: number };

/** Takes room for a body; the function gives it back, null where there is none. */
export type TakeRoom = (caller: string, bytes: number) => (() => void) | null;

/** Counts by what was announced, before a byte is read: what never comes is held as well. */
export function bodyBudget({ ofCaller, inAll }: BodyBounds): TakeRoom {
  const taken = new Map<string, number>();
  let all = 0;
  const add = (caller: string, bytes: number): void => {
    const own = (taken.get(caller) ?? 0) + bytes;
    all += bytes;
    if (own === 0) taken.delete(caller);
    else taken.set(caller, own);
  };
  return (caller, bytes) => {
    if (all + bytes > inAll || (taken.get(caller) ?? 0) + bytes > ofCaller) return null;
    add(caller, bytes);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      add(caller, -bytes);
    };
  };
}

/** How many bytes a request may bring, at most those that are read of any; one in pieces does not say. */
export function announcedBytes({ headers }: IncomingMessage, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit;
  return Math.min(limit, Number(headers['content-length'] ?? 0));
}
