import { decodeEvent, UnreadableEvent } from '#kernel/events/event-codec.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Recorded } from '#kernel/events/event.js';
import {
  creditEvents,
  type CreditEventType,
  type CreditPayloads,
  type LedgerEntry,
} from './credits.events.js';

/** Stored events in stream order, in batches: from an event store, or from an exported ledger. */
export type LedgerHistory = AsyncIterable<readonly StoredEvent[]> | Iterable<readonly StoredEvent[]>;

/** One handler for each type of entry. */
export type EntryHandlers<State, Result> = {
  readonly [Type in CreditEventType]: (state: State, entry: Recorded<CreditPayloads[Type]>) => Result;
};

/**
 * Reads a stored event of a credit stream. Throws `UnreadableEvent` for an unknown type, because a sum without that
 * event would be wrong.
 */
export function readEntry(stored: StoredEvent): LedgerEntry {
  const decoded = decodeEvent(creditEvents, stored);
  if (decoded === null) throw new UnreadableEvent(stored, 'it is not an event of a credit ledger');
  // The vocabulary validated it when it was written.
  return decoded as unknown as LedgerEntry;
}

/** Calls the handler for the type of an entry. */
export function handleEntry<State, Result, Type extends CreditEventType>(
  handlers: EntryHandlers<State, Result>,
  state: State,
  entry: LedgerEntry<Type>,
): Result {
  return handlers[entry.type](state, entry);
}

/** The seal of the entry; '' if it has none. */
export function sealOf(entry: Pick<StoredEvent, 'metadata'>): string {
  return entry.metadata['hash'] ?? '';
}
