import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { granted, ownAccount, type Billing, type Books } from '#domain/credits/books.js';
import { Amount } from './answer-fields.js';

/** The balance as it is answered everywhere (OP-22). */
export const BalanceAnswer = Type.Object({
  balance: Amount,
  held: Amount,
  captured: Amount,
  granted: Amount,
  is_billed: Type.Boolean(),
  billing: OneOf('self', 'partner', 'exempt'),
  updated_at: Nullable(Timestamp),
});
export type BalanceView = Immutable<Static<typeof BalanceAnswer>>;

/** What a balance is made of, wherever it was summed: in a ledger's books or in a read model. */
export type BalanceSums<UpdatedAt extends string | null = string | null> = {
  readonly granted: Credits;
  readonly held: Credits;
  readonly captured: Credits;
  readonly billing: Billing['mode'];
  readonly updatedAt: UpdatedAt;
};

/** The balance in its answer; amounts are JSON numbers of credits. */
export function balanceView<UpdatedAt extends string | null>({
  granted,
  held,
  captured,
  billing,
  updatedAt,
}: BalanceSums<UpdatedAt>) {
  return {
    balance: toJsonNumber(granted - held - captured),
    held: toJsonNumber(held),
    captured: toJsonNumber(captured),
    granted: toJsonNumber(granted),
    is_billed: billing !== 'exempt',
    billing,
    updated_at: updatedAt,
  };
}

/** The balance of the books as they are now. */
export function balanceOf(books: Books): BalanceView {
  const { held, captured } = ownAccount(books);
  return balanceView({
    held,
    captured,
    granted: granted(books),
    billing: books.billing?.mode ?? 'self',
    updatedAt: books.updatedAt,
  });
}
