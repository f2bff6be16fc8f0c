import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';
import { withAppend } from '../with-append.js';

/** Who is told of appends that have become durable: their events, and how long the caller waited. */
export type AppendListener = (events: readonly NewEvent[], seconds: number) => void;

/** The same event store, with somebody told of each append that succeeded. */
export function meteredEventStore(events: EventStore, onAppend: AppendListener): EventStore {
  return withAppend(events, async (stream, expected, appended) => {
    const startedAt = performance.now();
    const outcome = await events.append(stream, expected, appended);
    onAppend(appended, (performance.now() - startedAt) / 1_000);
    return outcome;
  });
}
