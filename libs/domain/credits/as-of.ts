import { toJsonNumber } from '#kernel/credits.js';
import { balanceOf } from './books.js';
import type { AsOf } from './ledger-answers.js';
import type { LedgerHistory } from './ledger-entry.js';
import { addEntry, emptySums, spendingView, type LedgerSums } from './ledger-sums.js';
import { isAfter, type Moment } from './moment.js';

/** Reads a ledger as it stood at a moment (ledger.as_of); now, where none is named. */
export async function readAsOf(history: LedgerHistory, moment: Moment): Promise<AsOf> {
  const sums = emptySums();
  reading: for await (const batch of history) {
    for (const stored of batch) {
      if (isAfter(stored, moment)) break reading;
      addEntry(sums, stored);
    }
  }
  return asOfView(sums, moment);
}

/** What the sums of a ledger at a moment say of it. */
export function asOfView({ books, spending, revision }: LedgerSums, moment: Moment): AsOf {
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
    spend_by_product: spendingView(spending).by_product,
  };
}
