import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { available } from '#ledger/domain/books.js';
import { endOfMonth, monthWithoutEntries, type MonthEnd } from '#ledger/domain/close-month.js';
import type { LedgerReader } from './ledger-reader.js';

/**
 * Reads the end of a month from the stored sums, as a statement does, so that the cost does not grow with the ledger.
 * Throws `monthWithoutEntries` if the ledger begins later.
 */
export async function readMonthEnd(
  ledgers: LedgerReader,
  workspaceId: number,
  head: StoredEvent,
  month: string,
): Promise<MonthEnd> {
  const end = await ledgers.firstAt(workspaceId, endOfMonth(month), head);
  const { books, revision, hash } = await ledgers.sumsBefore(workspaceId, end);
  if (revision === null || hash === null) {
    throw monthWithoutEntries({ errors: fieldError('month', 'lies before the first entry') });
  }
  const closing = available(books);
  return { month, closing, revision: Number(revision), hash, isComplete: end <= head.revision };
}
