import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';

/** The events that two logs are compared by: what leaves a log by itself may be gone from one of them. */
export async function* lastingEvents(
  events: AsyncIterable<StoredEvent>,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const event of events) if (!isShortLived(event.stream)) yield event;
  return undefined;
}

/** What a destination holds of short-lived streams, and where the rest of them goes. */
export type ShortLivedStreams = {
  readonly learn: (event: StoredEvent) => void;
  /** What is to be written of a source: a stream whose beginning has gone by itself begins at 0 again. */
  readonly carried: (events: AsyncIterable<StoredEvent>) => AsyncGenerator<StoredEvent, undefined>;
};

/** They are carried along as they are found: uncounted, and each event once. */
export function shortLivedStreams(): ShortLivedStreams {
  const there = new Map<string, Set<string>>();
  const next = new Map<string, bigint>();
  const place = (event: StoredEvent): StoredEvent => {
    const revision = next.get(event.stream) ?? 0n;
    next.set(event.stream, revision + 1n);
    return revision === event.revision ? event : { ...event, revision };
  };
  return {
    learn: (event) => {
      place(event);
      const ids = there.get(event.stream) ?? new Set();
      there.set(event.stream, ids.add(event.id));
    },
    carried: async function* (events) {
      for await (const event of events) {
        if (!isShortLived(event.stream)) yield event;
        else if (there.get(event.stream)?.has(event.id) !== true) yield place(event);
      }
      return undefined;
    },
  };
}
