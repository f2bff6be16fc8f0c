import { toJsonNumber } from '#kernel/credits.js';
import { balanceOf, emptyBooks, post } from './books.js';
import type { AsOf } from './ledger-answers.js';
import { readEntry, type LedgerHistory } from './ledger-entry.js';
import { isAfter, type Moment } from './moment.js';
import { addSpend, spendView, type SpendTotals } from './spend-totals.js';

/** Reads a ledger as it stood at a moment (ledger.as_of); now, where none is named. */
export async function readAsOf(history: LedgerHistory, moment: Moment): Promise<AsOf> {
  const books = emptyBooks();
  const spending: SpendTotals = new Map();
  let revision: bigint | null = null;
  reading: for await (const batch of history) {
    for (const stored of batch) {
      if (isAfter(stored, moment)) break reading;
      const entry = readEntry(stored);
      if (entry.type === 'CreditsCaptured') {
        const hold = books.openHolds.get(entry.data.movementId);
        if (hold !== undefined) addSpend(spending, hold.product, hold.credits);
      }
      post(books, entry.type, entry);
      revision = stored.revision;
    }
  }
  return {
    at: moment.at ?? books.updatedAt,
    revision: revision === null ? null : Number(revision),
    balance: balanceOf(books),
    open_holds: [...books.openHolds.values()].map((hold) => ({
      movement_id: hold.movementId,
      key: hold.key,
      credits: toJsonNumber(hold.credits),
      product: hold.product,
      payer: hold.payer,
      created_at: hold.heldAt,
    })),
    spend_by_product: spendView(spending),
  };
}
