import { foldAll } from '#kernel/testing/project.js';
import { topAccountKey, topAccounts } from './top-accounts.projection.js';

const account = { accountId: 5, companyId: 9 };
const found = {
  type: 'TopAccountFound',
  data: { ...account, companyRef: 'c:acme', tier: 'Tier 1', foundAt: '2026-01-05T10:00:00.000Z' },
};

describe('the top accounts read model', () => {
  it('OP-55 shows a found account, unassigned at first', () => {
    expect(foldAll(topAccounts, [found]).get(topAccountKey(5))).toEqual({
      id: 5,
      workspaceId: 1,
      companyId: 9,
      companyRef: 'c:acme',
      tier: 'Tier 1',
      personaId: null,
      importedAt: '2026-01-05T10:00:00.000Z',
    });
  });

  it('follows its business unit and its tier', () => {
    const events = [
      found,
      { type: 'TopAccountAssigned', data: { ...account, personaId: 4 } },
      { type: 'TopAccountTierSet', data: { ...account, tier: null, source: 'crm' } },
    ];
    expect(foldAll(topAccounts, events).get(topAccountKey(5))).toMatchObject({ personaId: 4, tier: null });
  });

  it('deletes the document of a removed account', () => {
    const removed = {
      type: 'TopAccountRemoved',
      data: { ...account, removedAt: '2026-01-06T10:00:00.000Z' },
    };
    expect(foldAll(topAccounts, [found, removed]).size).toBe(0);
  });
});
