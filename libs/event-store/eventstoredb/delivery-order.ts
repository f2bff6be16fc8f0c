import { START, StoreUnusable, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { ownEvent, positionOf } from './recorded-event.js';
import type { DeliveredRecord } from './server-messages.js';

/** The delivered events, in the order of the log and each once. */
export type DeliveryOrder = {
  /** Our events among the delivered records. Throws if a record arrives that was already passed. */
  readonly take: (records: readonly DeliveredRecord[]) => readonly StoredEvent[];
  /** Every event up to this position was delivered or is not ours. */
  readonly reach: (position: Position) => void;
  readonly position: () => Position;
  /** True once the event with this id was delivered again at the position after which the delivery begins. */
  readonly beganWith: (id: string) => boolean;
};

/** The delivery after a position, of events of these types; null: of all types. */
export function deliveryOrder(after: Position, types: readonly string[] | null): DeliveryOrder {
  const wanted = types === null ? null : new Set(types);
  let position = after;
  let passed = START;
  let first: string | undefined;
  return {
    take: (records) => {
      const events: StoredEvent[] = [];
      for (const record of records) {
        const at = positionOf(record);
        if (at === null) continue;
        if (at <= passed) throw new StoreUnusable(`the event store delivers position ${at} after ${passed}`);
        passed = at;
        // A resumed read may begin with known events.
        if (at === after) first = record.event?.id;
        if (at <= after) continue;
        position = at;
        const event = ownEvent(record, at);
        // The server compares prefixes: `Noted` also lets `NotedAgain` through.
        if (event !== null && (wanted === null || wanted.has(event.type))) events.push(event);
      }
      return events;
    },
    reach: (reached) => {
      if (reached <= position) return;
      position = reached;
      passed = reached;
    },
    position: () => position,
    beganWith: (id) => first === id,
  };
}
