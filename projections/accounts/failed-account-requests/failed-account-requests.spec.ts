import { foldAll } from '#kernel/testing/project.js';
import { failedAccountRequests } from './failed-account-requests.projection.js';

const NOW = '2026-01-05T10:00:00.000Z';
const mapping = { requestId: 310, type: 'account_mapping', companyId: 9 };
const content = { requestId: 311, type: 'top_account_content', companyId: 9 };
const ended = (...requests: readonly object[]) => ({
  type: 'AccountRequestsEnded',
  data: { requests, endedAt: NOW },
});
const failed = ended(
  { ...mapping, outcome: 'no_employee_resolved' },
  { ...content, outcome: 'missing_network_target' },
);
const after = (...events: readonly { readonly type: string; readonly data: object }[]) =>
  [...foldAll(failedAccountRequests, events).values()].map(({ requestId, reason }) => [requestId, reason]);

describe('the failed requests of top accounts', () => {
  it('are stored with the reason and the day', () => {
    expect(foldAll(failedAccountRequests, [failed]).get('1_9_account_mapping')).toEqual({
      requestId: 310,
      workspaceId: 1,
      companyId: 9,
      type: 'account_mapping',
      reason: 'no_employee_resolved',
      failedOn: '2026-01-05',
    });
    expect(after(ended({ ...mapping, outcome: 'completed' }))).toEqual([]);
  });

  it('are removed with a new request, and with the account', () => {
    const planned = {
      type: 'AccountRequestsPlanned',
      data: { requests: [{ ...mapping, requestId: 320 }], lookedAfter: null, plannedAt: NOW },
    };
    expect(after(failed, planned)).toEqual([[311, 'missing_network_target']]);
    expect(after(failed, planned, ended({ ...mapping, requestId: 320, outcome: 'internal_error' }))).toEqual([
      [320, 'internal_error'],
      [311, 'missing_network_target'],
    ]);
    const removed = { type: 'TopAccountRemoved', data: { accountId: 5, companyId: 9, removedAt: NOW } };
    expect(after(failed, removed)).toEqual([]);
  });
});
