import type { EventBatch } from '#kernel/ports/event-store.port.js';

/** How many events a subscription delivers, and whether its reader keeps up with the log. */
export type LoadMeter = {
  /** To be called with each batch. */
  readonly note: (batch: Pick<EventBatch, 'events' | 'caughtUp'>) => void;
  /** For how long no batch has reached the end of the log; 0 if the last one did (ms). */
  readonly behindMs: () => number;
  /** Events per second since `restart`; 0 if no time has passed. */
  readonly rate: () => number;
  /** The time since `restart` (ms). */
  readonly measuredMs: () => number;
  readonly restart: () => void;
};

export function loadMeter(now: () => number = () => performance.now()): LoadMeter {
  let behindSince: number | null = null;
  let startedAt = now();
  let events = 0;
  return {
    note: (batch) => {
      events += batch.events.length;
      if (batch.caughtUp) behindSince = null;
      else behindSince ??= now();
    },
    behindMs: () => (behindSince === null ? 0 : now() - behindSince),
    rate: () => (now() === startedAt ? 0 : (events * 1_000) / (now() - startedAt)),
    measuredMs: () => now() - startedAt,
    restart: () => {
      startedAt = now();
      events = 0;
    },
  };
}
