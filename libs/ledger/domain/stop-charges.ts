import type { CreditAccount } from './account-state.js';
import type { CreditDecision } from './credit-account.js';

/** Another stream has ended something that is charged for; a workspace without a ledger has no charges. */
export const stopCharges =
  (stream: string): CreditDecision =>
  ({ books }) =>
    books.billing === null ? [] : [{ type: 'ChargesStopped', data: { stream } }];

/** The entry that charges have to be prepared after, by its revision; -1 where there is none. */
export const chargesMark = ({ memory }: Pick<CreditAccount, 'memory'>): bigint => memory.preparedAfter;
