import type { EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';

/** Every event up to a position and none after it, however many are written meanwhile. */
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
