import { toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { PayerSchema } from '#ledger/domain/credits.events.js';
import { spentAmounts, type LedgerSums } from '#ledger/history/ledger-sums.js';
import type { Moment } from '#ledger/history/moment.js';
import { Amount, AmountsByName } from '#kernel/values/amounts.js';
import { Revision } from './answer-fields.js';
import { BalanceAnswer, balanceOf } from './balance.answer.js';
import { LotAnswer, lotView } from './lots.answer.js';

/** The state of a ledger at a past moment. The answer for one revision never changes. */
export const AsOfAnswer = Type.Object({
  at: Nullable(Timestamp),
  /** Revision of the last entry that the state includes; null before the first entry. */
  revision: Revision,
  balance: BalanceAnswer,
  open_holds: Type.Array(
    Type.Object({
      movement_id: Id,
      key: Type.String(),
      credits: Amount,
      product: Type.String(),
      payer: PayerSchema,
      created_at: Timestamp,
    }),
  ),
  /** Credits captured up to that moment, for every payer. */
  spend_by_product: AmountsByName,
  /** The lots with terms that had free or held credits; absent if no lot had terms. */
  lots: Type.Optional(Type.Array(LotAnswer)),
});
export type AsOf = Immutable<Static<typeof AsOfAnswer>>;

/** The state of a ledger at a moment (ledger.as_of), from its sums up to that moment; now, if no moment is named. */
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
    spend_by_product: spentAmounts(spending).byProduct,
    ...(books.expired === null ? {} : { lots: [...books.lots.values()].map(lotView) }),
  };
}
