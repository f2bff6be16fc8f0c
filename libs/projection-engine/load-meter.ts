import type { EventBatch } from '#kernel/ports/event-store.port.js';

export type LoadMeter = ReturnType<typeof loadMeter>;

/** How many events a subscription delivers, and whether its reader keeps up with the log. */
export function loadMeter(now: () => number = () => performance.now()) {
  let behindSince: number | null = null;
  let startedAt = now();
  let events = 0;
  return {
    /** To be called with each batch. */
    note: (batch: Pick<EventBatch, 'events' | 'caughtUp'>): void => {
      events += batch.events.length;
      if (batch.caughtUp) behindSince = null;
      else behindSince ??= now();
    },
    /** For how long no batch has reached the end of the log; 0 if the last one did (ms). */
    behindMs: (): number => (behindSince === null ? 0 : now() - behindSince),
    /** Events per second since `restart`; 0 if no time has passed. */
    rate: (): number => (now() === startedAt ? 0 : (events * 1_000) / (now() - startedAt)),
    /** The time since `restart` (ms). */
    measuredMs: (): number => now() - startedAt,
    restart: (): void => {
      startedAt = now();
      events = 0;
    },
  };
}
