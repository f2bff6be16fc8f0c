import { toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import { CapAnswer, capView } from '#ledger/answers/cap.answer.js';
import { spentAt } from '#ledger/domain/caps.js';
import { INEXACT } from '#signals/quoting/count-candidates.js';
import type { Quoted } from '#signals/quoting/quote-launch.js';

const Count = Type.Integer({ minimum: 0 });

/** The expected result and cost of a launch. */
export const QuoteView = Type.Object(
  {
    quote_id: Type.String(),
    expires_at: Timestamp,
    /** The launch reads the observations as of this moment. */
    now: Timestamp,
    lookback_days: Type.Integer({ minimum: 1 }),
    candidates: Count,
    new: Count,
    free: Count,
    priced: Count,
    /** The price of one signal. */
    unit_price: Amount,
    credits_needed: Nullable(Amount),
    credits_at_most: Amount,
    exact: Type.Boolean(),
    inexact_because: Nullable(OneOf(...INEXACT)),
    limited_by: Nullable(OneOf('balance', 'cap', 'max_credits')),
    balance: Type.Object({ now: Amount, afterwards: Amount }, { title: 'QuotedBalance' }),
    caps: Type.Array(
      Type.Object({ ...CapAnswer.properties, spent_afterwards: Amount }, { title: 'QuotedCap' }),
    ),
  },
  { title: 'Quote' },
);
export type QuoteView = Immutable<Static<typeof QuoteView>>;

/** A quote in the form of the answer. For an exempt workspace the cost is 0 for any number of signals. */
export function quoteView(quoted: Quoted, quoteId: string): QuoteView {
  const { quote, counted, price, creditsNeeded, limitedBy, spendable, at } = quoted;
  const spends = quote.creditsAtMost ?? 0n;
  const { balance, isOwn, caps } = spendable;
  return {
    quote_id: quoteId,
    expires_at: quote.expiresAt,
    now: quote.now,
    lookback_days: quote.lookbackDays,
    candidates: counted.candidates,
    new: counted.fresh,
    free: counted.free,
    priced: counted.priced,
    unit_price: toJsonNumber(price),
    credits_needed: creditsNeeded === null ? null : toJsonNumber(creditsNeeded),
    credits_at_most: toJsonNumber(spends),
    exact: counted.inexact === null,
    inexact_because: counted.inexact,
    limited_by: limitedBy,
    balance: {
      now: toJsonNumber(balance),
      afterwards: toJsonNumber(isOwn ? balance - spends : balance),
    },
    caps: caps.map((cap) => ({
      ...capView(cap, at),
      spent_afterwards: toJsonNumber(spentAt(cap, at) + spends),
    })),
  };
}
