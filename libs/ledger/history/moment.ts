import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';

/**
 * A moment of a ledger: the entries recorded before `at` (RFC 3339, UTC, milliseconds), or the entries up to and
 * including `revision`. Without both it is now. Recorded times never decrease, so both are a prefix of the stream.
 */
export type Moment = { readonly at?: string; readonly revision?: bigint };

/** True for an entry that did not exist yet at that moment. */
export function isAfter(entry: StoredEvent, { at, revision }: Moment): boolean {
  if (at !== undefined && recordedAtOf(entry) >= at) return true;
  return revision !== undefined && entry.revision > revision;
}
