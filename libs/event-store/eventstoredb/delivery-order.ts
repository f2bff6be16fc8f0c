import { START, StoreUnusable, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { ownEvent, positionOf } from './recorded-event.js';
import type { DeliveredRecord } from './server-messages.js';

/** The last delivered record, with which a later delivery proves that the log is still the same. */
export type LastRecord = {
  readonly id: string;
  /** The record delivered before it, or the one after which the delivery began. */
  readonly behind: Position;
};

/** The delivered events, in the order of the log and each once. */
export type DeliveryOrder = {
  /** Our events among the delivered records. Throws if a record arrives that was already passed. */
  readonly take: (records: readonly DeliveredRecord[]) => readonly StoredEvent[];
  /** Every event up to this position was delivered or is not ours. */
  readonly reach: (position: Position) => void;
  readonly position: () => Position;
  /** The record at the position; null if the position is not that of a delivered record. */
  readonly last: () => LastRecord | null;
  /** True once the record with this id was delivered again at the position after which the delivery begins. */
  readonly beganWith: (id: string) => boolean;
};

/**
 * The delivery after a position, of events of these types; null: of all types. `behind`: the record after which it
 * begins, if that is an earlier one.
 */
export function deliveryOrder(
  after: Position,
  types: readonly string[] | null,
  behind: Position = after,
): DeliveryOrder {
  const wanted = types === null ? null : new Set(types);
  let position = after;
  let passed = START;
  let first: string | undefined;
  let lastAt = behind;
  let lastId: string | undefined;
  let beforeLast = behind;
  return {
    take: (records) => {
      const events: StoredEvent[] = [];
      for (const record of records) {
        const at = positionOf(record);
        if (at === null) continue;
        if (at <= passed) throw new StoreUnusable(`the event store delivers position ${at} after ${passed}`);
        passed = at;
        beforeLast = lastAt;
        lastAt = at;
        lastId = record.event?.id;
        // A resumed read may begin with known events.
        if (at === after) first = lastId;
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
    last: () => (lastId === undefined || lastAt !== position ? null : { id: lastId, behind: beforeLast }),
    beganWith: (id) => first === id,
  };
}
