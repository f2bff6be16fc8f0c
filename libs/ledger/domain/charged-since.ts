import type { Credits } from '#kernel/values/credits.js';
import type { CreditAccount } from './account-state.js';

/** Revision of the newest hold or end that the ledger remembers; -1 if there is none. */
export const newestCharge = ({ charges }: Pick<CreditAccount, 'charges'>): bigint => {
  let newest = -1n;
  for (const { changedAt } of charges.byMovement.values())
    if (changedAt !== null && changedAt > newest) newest = changedAt;
  return newest;
};

/** Credits charged after a revision under these keys, for every payer; released holds are not included. */
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
