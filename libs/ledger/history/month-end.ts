import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { fieldError } from '#kernel/values/refusal.js';
import { available, emptyBooks, post } from '#ledger/domain/books.js';
import { endOfMonth, monthWithoutEntries, type MonthEnd } from '#ledger/domain/close-month.js';
import { readEntry, sealOf, type LedgerHistory } from '#ledger/domain/ledger-entry.js';

/** Reads how a month ended. Throws `monthWithoutEntries` when the ledger begins later. */
export async function readMonthEnd(history: LedgerHistory, month: string): Promise<MonthEnd> {
  const end = endOfMonth(month);
  const books = emptyBooks();
  let last: { readonly revision: number; readonly hash: string } | null = null;
  let isComplete = false;
  reading: for await (const batch of history) {
    for (const stored of batch) {
      if (recordedAtOf(stored) >= end) {
        isComplete = true;
        break reading;
      }
      const entry = readEntry(stored);
      post(books, entry.type, entry);
      last = { revision: Number(stored.revision), hash: sealOf(stored) };
    }
  }
  if (last === null) {
    throw monthWithoutEntries({ errors: fieldError('month', 'lies before the first entry') });
  }
  return { month, closing: available(books), ...last, isComplete };
}
