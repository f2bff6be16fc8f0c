import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';

/** The events by which two logs are compared: short-lived events may be missing in one of them. */
export async function* lastingEvents(
  events: AsyncIterable<StoredEvent>,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const event of events) if (!isShortLived(event.stream)) yield event;
  return undefined;
}

/**
 * The short-lived streams of a destination, and the revision at which each continues. Their events are copied as found:
 * not counted, and each event once.
 */
export function shortLivedStreams() {
  const there = new Map<string, Set<string>>();
  const next = new Map<string, bigint>();
  const place = (event: StoredEvent): StoredEvent => {
    const revision = next.get(event.stream) ?? 0n;
    next.set(event.stream, revision + 1n);
    return revision === event.revision ? event : { ...event, revision };
  };
  return {
    learn: (event: StoredEvent): void => {
      place(event);
      const ids = there.get(event.stream) ?? new Set();
      there.set(event.stream, ids.add(event.id));
    },
    /** The events to write of a source: a stream whose beginning has expired begins at 0 again. */
    async *carried(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent, undefined> {
      for await (const event of events) {
        if (!isShortLived(event.stream)) yield event;
        else if (there.get(event.stream)?.has(event.id) !== true) yield place(event);
      }
      return undefined;
    },
  };
}
