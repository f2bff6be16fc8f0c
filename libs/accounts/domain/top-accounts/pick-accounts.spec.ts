import { given } from '#kernel/testing/scenario.js';
import { pickAccounts, unknownAccounts } from './pick-accounts.js';
import { topAccounts } from './top-accounts.js';

const found = (accountId: number) =>
  ({
    type: 'TopAccountFound',
    data: {
      accountId,
      companyId: accountId + 4,
      companyRef: null,
      tier: null,
      foundAt: '2026-01-05T10:00:00.000Z',
    },
  }) as const;
const picked = (accountId: number, personaId: number, isWanted = true) =>
  ({
    type: 'TopAccountMonitoringPicked',
    data: {
      accountId,
      companyId: accountId + 4,
      personaId,
      buckets: isWanted ? (['essential'] satisfies 'essential'[]) : null,
    },
  }) as const;
const pick = (accountIds: readonly number[], isWanted = true) =>
  pickAccounts({ accountIds, personaId: 4, isWanted });

describe('picking top accounts', () => {
  it('MON-44 OP-29 picks each for one business unit, in the requested order; a repetition records nothing', () => {
    given(topAccounts, [found(5), found(6)])
      .when(pick([6, 5]))
      .then([picked(6, 4), picked(5, 4)]);
    given(topAccounts, [found(5), found(6), picked(5, 4), picked(5, 3)])
      .when(pick([5, 6]))
      .then([picked(6, 4)]);
  });

  it('OP-29 removes picks for this business unit only', () => {
    given(topAccounts, [found(5), picked(5, 3), picked(5, 4)])
      .when(pick([5], false))
      .then([picked(5, 4, false)]);
    given(topAccounts, [found(5), picked(5, 3)])
      .when(pick([5], false))
      .then([]);
    given(topAccounts, [found(5), picked(5, 4), picked(5, 4, false)])
      .when(pick([5]))
      .then([picked(5, 4)]);
  });

  it('OP-29 refuses all if one is unknown', () => {
    given(topAccounts, [found(5)])
      .when(pick([5, 7]))
      .then(unknownAccounts());
  });

  it('OP-26 an account that is removed and found again is no longer picked', () => {
    const removed = {
      type: 'TopAccountRemoved',
      data: { accountId: 5, companyId: 9, removedAt: '2026-01-06T10:00:00.000Z' },
    } as const;
    given(topAccounts, [found(5), picked(5, 4), removed, found(5)])
      .when(pick([5]))
      .then([picked(5, 4)]);
  });
});
