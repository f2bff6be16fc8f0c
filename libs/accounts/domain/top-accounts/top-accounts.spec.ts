import { given } from '#kernel/testing/scenario.js';
import {
  assignTopAccount,
  createTopAccountList,
  removeTopAccount,
  setTopAccountTier,
  topAccounts,
  unknownTopAccount,
} from './top-accounts.js';

const NOW = '2026-01-05T10:00:00.000Z';
const account = { accountId: 5, companyId: 9 };
const acme = { ...account, companyRef: 'c:acme', tier: 'Tier 1', foundAt: NOW } as const;
const found = { type: 'TopAccountFound', data: acme } as const;
const removed = { type: 'TopAccountRemoved', data: { ...account, removedAt: NOW } } as const;
const assigned = { type: 'TopAccountAssigned', data: { ...account, personaId: 4 } } as const;

describe('the top accounts of a workspace', () => {
  it('are on one list, created once', () => {
    const created = { type: 'TopAccountListCreated', data: { topAccountListId: 3 } } as const;
    given(topAccounts, []).when(createTopAccountList(3)).then([created]);
    given(topAccounts, [created]).when(createTopAccountList(4)).then([]);
  });

  it('OP-55 belong to all business units until they are assigned to one', () => {
    const toSales = assignTopAccount({ accountId: 5, personaId: 4 });
    given(topAccounts, [found]).when(toSales).then([assigned]);
    given(topAccounts, [found, assigned]).when(toSales).then([]);
    given(topAccounts, [found, assigned])
      .when(assignTopAccount({ accountId: 5, personaId: null }))
      .then([{ type: 'TopAccountAssigned', data: { ...account, personaId: null } }]);
  });

  it('have a tier that can be set and removed', () => {
    const tier = (value: 'Tier 1' | 'Tier 2' | null) =>
      setTopAccountTier({ accountId: 5, tier: value, source: 'crm' });
    given(topAccounts, [found]).when(tier('Tier 1')).then([]);
    given(topAccounts, [found])
      .when(tier(null))
      .then([{ type: 'TopAccountTierSet', data: { ...account, tier: null, source: 'crm' } }]);
  });

  it('can be removed, and found again as another account', () => {
    given(topAccounts, [found])
      .when(removeTopAccount({ accountId: 5, now: NOW }))
      .then([removed]);
    const foundAgain = { type: 'TopAccountFound', data: { ...acme, accountId: 6 } } as const;
    given(topAccounts, [found, removed, foundAgain])
      .when(assignTopAccount({ accountId: 6, personaId: 4 }))
      .then([{ type: 'TopAccountAssigned', data: { ...account, accountId: 6, personaId: 4 } }]);
    given(topAccounts, [found, removed, foundAgain])
      .when(assignTopAccount({ accountId: 5, personaId: 4 }))
      .then(unknownTopAccount());
  });

  it('are unknown if they do not exist', () => {
    for (const decision of [
      assignTopAccount({ accountId: 5, personaId: 4 }),
      setTopAccountTier({ accountId: 5, tier: null, source: 'crm' }),
      removeTopAccount({ accountId: 5, now: NOW }),
    ]) {
      given(topAccounts, []).when(decision).then(unknownTopAccount());
      given(topAccounts, [found, removed]).when(decision).then(unknownTopAccount());
    }
  });
});
