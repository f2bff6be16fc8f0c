import { toJsonNumber } from '#kernel/values/credits.js';
import { balanceOf } from '#domain/credits/books.js';
import type { AsOf } from '#domain/credits/ledger-answers.js';
import { spendingView, type LedgerSums } from './ledger-sums.js';
import type { Moment } from './moment.js';

/** A ledger as it stood at a moment (ledger.as_of), from its sums up to there; now, where none is named. */
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
