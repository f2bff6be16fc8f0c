import { fieldError } from '#kernel/values/refusal.js';
import { available } from '#ledger/domain/books.js';
import { endOfMonth, monthWithoutEntries, type MonthEnd } from '#ledger/domain/close-month.js';
import type { LedgerHistory } from '#ledger/domain/ledger-entry.js';
import { emptySums } from './ledger-sums.js';
import { walkPeriod } from './walk-period.js';

/** Reads the end of a month. Throws `monthWithoutEntries` if the ledger begins later. */
export async function readMonthEnd(history: LedgerHistory, month: string): Promise<MonthEnd> {
  const sums = emptySums();
  let isComplete = false;
  for await (const step of walkPeriod(history, { from: null, to: endOfMonth(month) }, sums)) {
    if (step.step === 'end') isComplete = step.isOver;
  }
  const { books, revision, hash } = sums;
  if (revision === null || hash === null) {
    throw monthWithoutEntries({ errors: fieldError('month', 'lies before the first entry') });
  }
  return { month, closing: available(books), revision: Number(revision), hash, isComplete };
}
