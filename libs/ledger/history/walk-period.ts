import { recordedAtOf } from '#kernel/events/recorded-at.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { LedgerHistory } from '#ledger/domain/ledger-entry.js';
import { addEntry, type AddedEntry, type LedgerSums } from './ledger-sums.js';
import { isAfter, type Moment } from './moment.js';

/**
 * A period of a ledger: entries recorded at or after `from` and before `to` (RFC 3339, UTC, milliseconds; null is
 * unbounded), of the ledger at the moment `asOf`.
 */
export type Period = { readonly from: string | null; readonly to: string | null; readonly asOf?: Moment };

/**
 * A step of a walk: the opening once, each entry of the period, and the end. `isOver`: an entry after the period was
 * found, so that nothing more can come into it.
 */
export type WalkStep =
  | { readonly step: 'opening' }
  | ({ readonly step: 'entry'; readonly stored: StoredEvent } & AddedEntry)
  | { readonly step: 'end'; readonly isOver: boolean };

/**
 * Walks through a period in order and in bounded memory. `sums` begin as those of the entries before the history; at
 * each step they include all entries up to it. Throws for an entry that does not follow from the entries before it.
 */
export async function* walkPeriod(
  history: LedgerHistory,
  { from, to, asOf = {} }: Period,
  sums: LedgerSums,
): AsyncGenerator<WalkStep, void, undefined> {
  let isOpen = false;
  let isOver = false;
  reading: for await (const batch of history) {
    for (const stored of batch) {
      const at = recordedAtOf(stored);
      isOver = (to !== null && at >= to) || isAfter(stored, asOf);
      if (isOver) break reading;
      if (!isOpen && (from === null || at >= from)) {
        isOpen = true;
        yield { step: 'opening' };
      }
      const added = addEntry(sums, stored);
      if (isOpen) yield { step: 'entry', stored, ...added };
    }
  }
  if (!isOpen) yield { step: 'opening' };
  yield { step: 'end', isOver };
}
