import type { Credits } from '#kernel/values/credits.js';
import type { CreditAccount } from './account-state.js';

/** Revision of the newest end or hold that the ledger remembers; -1 where there is none. */
export const newestCharge = ({ charges }: Pick<CreditAccount, 'charges'>): bigint => {
  let newest = -1n;
  for (const { changedAt } of charges.byMovement.values())
    if (changedAt !== null && changedAt > newest) newest = changedAt;
  return newest;
};

/** What was charged after a revision under the keys that are meant, whoever pays; what was given back is none of it. */
export const chargedSince = (
  { charges }: Pick<CreditAccount, 'charges'>,
  revision: bigint,
  isMeant: (key: string) => boolean,
): Credits => {
  let charged = 0n;
  for (const { changedAt, status, key, credits } of charges.byMovement.values())
    if (changedAt !== null && changedAt > revision && status !== 'released' && isMeant(key))
      charged += credits;
  return charged;
};
