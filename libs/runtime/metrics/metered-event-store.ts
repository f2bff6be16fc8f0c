import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';
import { withAppend } from '../with-append.js';

/** Called for each durable append with its events and the caller's waiting time. */
export type AppendListener = (events: readonly NewEvent[], seconds: number) => void;

/** Wraps an event store: each successful append is reported. */
export function meteredEventStore(events: EventStore, onAppend: AppendListener): EventStore {
  return withAppend(events, async (stream, expected, appended) => {
    const startedAt = performance.now();
    const outcome = await events.append(stream, expected, appended);
    onAppend(appended, (performance.now() - startedAt) / 1_000);
    return outcome;
  });
}
