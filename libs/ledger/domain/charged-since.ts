import type { Credits } from '#kernel/values/credits.js';
import type { CreditAccount } from './account-state.js';

/**
 * Credits charged after a revision under these keys, for every payer; released holds are not included. Null if the
 * ledger has forgotten charges after that revision.
 */
export const chargedSince = (
  { charges, memory: { forgotten } }: Pick<CreditAccount, 'charges' | 'memory'>,
  revision: bigint,
  isMeant: (key: string) => boolean,
): Credits | null => {
  if (forgotten !== null && forgotten.revision > revision) return null;
  let charged = 0n;
  for (const { changedAt, status, key, credits } of charges.byMovement.values())
    if (changedAt !== null && changedAt > revision && status !== 'released' && isMeant(key))
      charged += credits;
  return charged;
};
