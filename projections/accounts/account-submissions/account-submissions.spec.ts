import { foldAll } from '#kernel/testing/project.js';
import { accountSubmissions, accountSubmissionsKey } from './account-submissions.projection.js';

const submitted = (submissionId: string, accounts: number) => ({
  type: 'AccountsSubmitted',
  data: {
    submissionId,
    submitted: accounts,
    accounts,
    chunks: 1,
    newAccounts: accounts,
    newKeys: [],
    quota: null,
    countries: ['FR'],
    submittedAt: '2026-01-05T10:00:00.000Z',
  },
});
const resolved = (submissionId: string, from: number, accounts: number) => ({
  type: 'AccountsResolved',
  data: { submissionId, from, accounts, clearedIds: [] },
});
const blocked = { type: 'WorkspaceBlocked', data: { reason: 'unpaid' } };
const unblocked = { type: 'WorkspaceUnblocked', data: { reason: 'paid' } };
const after = (events: readonly { readonly type: string; readonly data: object }[]) =>
  foldAll(accountSubmissions, events).get(accountSubmissionsKey(1));

describe('the submissions to look up', () => {
  it('come in their order, with the rest of each', () => {
    expect(after([submitted('a', 3), submitted('b', 2), resolved('a', 0, 2)])).toMatchObject({
      workspaceId: 1,
      open: [
        { submissionId: 'a', accounts: 3, resolved: 2 },
        { submissionId: 'b', accounts: 2, resolved: 0 },
      ],
      isDue: true,
      lastSubmittedAt: '2026-01-05T10:00:00.000Z',
    });
  });

  it('are done once every account is looked up', () => {
    expect(after([submitted('a', 3), resolved('a', 0, 2), resolved('a', 2, 1)])).toMatchObject({
      open: [],
      isDue: false,
    });
  });

  it('OP-52 wait while the workspace is blocked, also if it was blocked before', () => {
    expect(after([submitted('a', 3), blocked])?.isDue).toBe(false);
    expect(after([blocked, submitted('a', 3)])?.isDue).toBe(false);
    expect(after([blocked, submitted('a', 3), unblocked])?.isDue).toBe(true);
    expect(after([blocked])).toMatchObject({ open: [], lastSubmittedAt: null });
  });
});
