import type { CreditDecision } from './credit-account.js';

/**
 * Records that another stream has ended something that is charged for. A workspace without a ledger has no charges.
 */
export const stopCharges =
  (stream: string): CreditDecision =>
  ({ books }) =>
    books.billing === null ? [] : [{ type: 'ChargesStopped', data: { stream } }];
