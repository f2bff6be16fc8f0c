import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { TopAccountsDecision } from './top-accounts-state.js';

/** The maximum number of accounts in one request (OP-29). */
export const MAX_PICKED_AT_ONCE = 1_000;

export const unknownAccounts = refusal({
  code: 'unknown-accounts',
  kind: 'unprocessable',
  detail: 'The request body is not valid.',
});

export type PickAccountsInput = {
  readonly accountIds: readonly number[];
  readonly personaId: number;
  /** False: the picks are removed. */
  readonly isWanted: boolean;
};

/** Picks accounts for one business unit, or removes the picks; one unknown account refuses all. */
export const pickAccounts =
  ({ accountIds, personaId, isWanted }: PickAccountsInput): TopAccountsDecision =>
  ({ accounts }) => {
    const unknown = accountIds.filter((accountId) => !accounts.has(accountId));
    if (unknown.length > 0) {
      const message = `${unknown.join(', ')}: no top account of this workspace`;
      throw unknownAccounts({ errors: fieldError('account_ids', message) });
    }
    return accountIds.flatMap((accountId) => {
      const account = accounts.get(accountId);
      if (account === undefined || account.pickedFor.includes(personaId) === isWanted) return [];
      const { companyId } = account;
      const buckets: 'essential'[] | null = isWanted ? ['essential'] : null;
      return [{ type: 'TopAccountMonitoringPicked', data: { accountId, companyId, personaId, buckets } }];
    });
  };
