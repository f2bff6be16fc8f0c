import { foldAll } from '#kernel/testing/project.js';
import { accountRequests } from './account-requests.projection.js';

const NOW = '2026-01-05T10:00:00.000Z';
const request = (requestId: number, type: string, companyId: number) => ({
  requestId,
  type,
  companyId,
  identifier: 'acme.com',
  requestDate: '2026-01-05',
  mappingId: type === 'account_mapping' ? 21 : null,
});
const planned = {
  type: 'AccountRequestsPlanned',
  data: {
    requests: [
      request(310, 'account_mapping', 9),
      request(311, 'top_account_content', 9),
      request(312, 'top_account_content', 10),
    ],
    lookedAfter: null,
    plannedAt: NOW,
  },
};
const created = { type: 'ContentRequestCreated', data: { requestId: 310 } };
const entered = (stage: string, more: object = {}) => ({
  type: 'StageEntered',
  data: { requestId: 310, stage, ...more, enteredAt: NOW },
});
type Happened = { readonly type: string; readonly data: object };
const after = (...events: readonly Happened[]) => foldAll(accountRequests, events);

describe('the pending requests of top accounts', () => {
  it('are the planned ones, until they end', () => {
    const documents = after(planned);
    expect([...documents.keys()]).toEqual(['310', '311', '312']);
    expect(documents.get('310')).toMatchObject({
      requestId: 310,
      workspaceId: 1,
      companyId: 9,
      mappingId: 21,
      created: false,
      isWaiting: true,
    });
    const ended = { type: 'AccountRequestsEnded', data: { requests: [{ requestId: 310 }], endedAt: NOW } };
    expect([...after(planned, created, ended).keys()]).toEqual(['311', '312']);
  });

  it('wait in their first stage, even after a failed attempt in it', () => {
    const isWaiting = (...events: readonly Happened[]) => after(planned, ...events).get('310')?.isWaiting;
    expect(after(planned, created).get('310')?.created).toBe(true);
    expect(isWaiting(created, entered('account_mapping_ready', { failures: 1 }))).toBe(true);
    expect(isWaiting(created, entered('account_mapping_ready', { outcome: 'no_employee_resolved' }))).toBe(
      false,
    );
    expect(isWaiting(created, entered('account_mapping_in_progress'))).toBe(false);
  });

  it('OP-53 stand for their account, the mapping before the content', () => {
    const standing = [...after(planned).values()].map(({ requestId, standsForAccount }) => [
      requestId,
      standsForAccount,
    ]);
    expect(standing).toEqual([
      [310, true],
      [311, false],
      [312, true],
    ]);
  });

  it('exclude requests of callers', () => {
    const own = { type: 'ContentRequestCreated', data: { requestId: 1 } };
    expect(
      after(own, { type: 'StageEntered', data: { requestId: 1, stage: 'account_mapping_ready' } }).size,
    ).toBe(0);
  });
});
