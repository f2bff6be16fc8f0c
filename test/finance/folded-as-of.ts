import { asOfView } from '#ledger/answers/as-of.answer.js';
import { addEntry, emptySums } from '#ledger/history/ledger-sums.js';
import { isAfter, type Moment } from '#ledger/history/moment.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';

/** The state of a ledger at a moment, folded from its first entry: the reference for marks. */
export function foldedAsOf(ledger: readonly StoredEvent[], moment: Moment) {
  const sums = emptySums();
  for (const entry of ledger) if (!isAfter(entry, moment)) addEntry(sums, entry);
  return asOfView(sums, moment);
}
