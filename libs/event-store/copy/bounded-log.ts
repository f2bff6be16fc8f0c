import type { EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';

/** The events up to a position; events that are written meanwhile are left out. */
export async function* eventsUpTo(
  store: Pick<EventStore, 'readAll'>,
  end: Position,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const { events, position } of store.readAll()) {
    for (const event of events) {
      if (event.position > end) return undefined;
      yield event;
    }
    if (position >= end) return undefined;
  }
  return undefined;
}
