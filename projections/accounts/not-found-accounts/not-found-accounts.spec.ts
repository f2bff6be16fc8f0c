import { foldAll } from '#kernel/testing/project.js';
import { notFoundAccounts } from './not-found-accounts.projection.js';

const missed = {
  accountId: 5,
  key: 'abcdefghijklmnop',
  networkUrl: null,
  domain: 'nope.invalid',
  tier: 'Tier 1',
  reason: 'lookup_failed',
  submittedAt: '2026-01-05T10:00:00.000Z',
};
const notFound = (changes: object = {}) => ({ type: 'TopAccountNotFound', data: { ...missed, ...changes } });
const resolved = (clearedIds: readonly number[]) => ({
  type: 'AccountsResolved',
  data: { submissionId: 's', from: 0, accounts: 1, clearedIds },
});

describe('the read model of accounts that were not found', () => {
  it('OP-54 shows an account as it was submitted, and why no company was found', () => {
    expect(foldAll(notFoundAccounts, [notFound(), resolved([])]).get('5')).toEqual({
      id: 5,
      workspaceId: 1,
      networkUrl: null,
      domain: 'nope.invalid',
      tier: 'Tier 1',
      reason: 'lookup_failed',
      submittedAt: '2026-01-05T10:00:00.000Z',
    });
  });

  it('OP-71 updates the row of an account that is sent again', () => {
    const again = notFound({ tier: null, submittedAt: '2026-01-06T10:00:00.000Z' });
    expect(foldAll(notFoundAccounts, [notFound(), again]).get('5')).toMatchObject({
      tier: 'Tier 1',
      submittedAt: '2026-01-06T10:00:00.000Z',
    });
  });

  it('removes an account that is found later', () => {
    expect([
      ...foldAll(notFoundAccounts, [notFound(), notFound({ accountId: 6 }), resolved([5])]).keys(),
    ]).toEqual(['6']);
  });
});
