import { Type } from '#kernel/values/schema.js';
import { balanceOf } from '#ledger/answers/balance.answer.js';
import type { CreditAccount } from '#domain/credits/account-state.js';
import type { CreditEvent } from '#domain/credits/credits.events.js';
import { BalanceAnswer, type BalanceView } from '#ledger/answers/balance.answer.js';
import { described } from './inputs.js';

/** Why credits are granted, taken back or corrected: printed on the statement. */
export const PostingReason = described(
  'why; printed on the statement',
  Type.String({ minLength: 1, maxLength: 1_000 }),
);
/** Makes a repeated grant, withdrawal or adjustment one. */
export const PostingKey = described(
  'names this posting: the same again changes nothing',
  Type.String({ minLength: 1, maxLength: 255 }),
);

/** `replayed`: the key was used for the same before, and nothing was done again. */
export const PostingAnswer = Type.Object({ replayed: Type.Boolean(), balance: BalanceAnswer });

/** The answer of a grant, withdrawal or adjustment, read from the state right after it. */
export function postingAnswer(
  { books }: CreditAccount,
  events: readonly CreditEvent[],
): { readonly replayed: boolean; readonly balance: BalanceView } {
  return { replayed: events.length === 0, balance: balanceOf(books) };
}
