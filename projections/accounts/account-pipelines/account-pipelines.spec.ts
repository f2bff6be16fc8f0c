import { foldAll } from '#kernel/testing/project.js';
import { accountPipelines, accountPipelinesKey } from './account-pipelines.projection.js';

const NOW = '2026-01-05T10:00:00.000Z';
const IN_AN_HOUR = '2026-01-05T11:00:00.000Z';
type Happened = { readonly type: string; readonly data: object; readonly id?: string };
const found: Happened = {
  type: 'TopAccountFound',
  id: 'found',
  data: { accountId: 5, companyId: 9, companyRef: null, tier: null, foundAt: NOW },
};
const resolved: Happened = {
  type: 'AccountsResolved',
  id: 'resolved',
  data: { submissionId: 's', from: 0, accounts: 1, clearedIds: [] },
};
const planned = (lookedAfter: string | null, ...requestIds: readonly number[]): Happened => ({
  type: 'AccountRequestsPlanned',
  data: { requests: requestIds.map((requestId) => ({ requestId })), lookedAfter, plannedAt: NOW },
});
const created = (requestId: number, source = 'top_account_list'): Happened => ({
  type: 'ContentRequestCreated',
  data: { requestId, source },
});
const ended = (...requestIds: readonly number[]): Happened => ({
  type: 'AccountRequestsEnded',
  data: { requests: requestIds.map((requestId) => ({ requestId })), endedAt: NOW },
});
const paused = (requestId: number | null, creditsRequired: string | null, wakes?: number): Happened => ({
  type: 'AccountRequestsPaused',
  data: { requestId, creditsRequired, pausedAt: NOW, ...(wakes === undefined ? {} : { wakes }) },
});
const feature: Happened = {
  type: 'WorkspaceFeatureSet',
  id: 'feature',
  data: { feature: 'account_mapping', enabled: true },
};
const after = (...events: readonly Happened[]) =>
  foldAll(accountPipelines, events).get(accountPipelinesKey(1)) ?? null;
const open = [found, resolved, planned('resolved', 310, 311), created(310), created(311)];

describe('the pipelines of the top accounts of a workspace', () => {
  it('are due with an account that was found, until all of its requests have ended', () => {
    expect(after(found)).toMatchObject({ accounts: 1, lookAfter: null, dueAt: null });
    expect(after(found, resolved)).toMatchObject({ accounts: 1, lookAfter: 'resolved', dueAt: NOW });
    expect(after(found, resolved, planned('resolved', 310))).toMatchObject({
      open: 1,
      uncreated: 1,
      lookAfter: null,
      dueAt: NOW,
    });
    expect(after(...open)).toMatchObject({ open: 2, uncreated: 0, dueAt: NOW });
    expect(after(...open, ended(310), ended(311))).toMatchObject({ open: 0, dueAt: null });
    expect(after(found, resolved, planned(null, 310))).toMatchObject({ lookAfter: 'resolved' });
  });

  it('TAL-17 are due again an hour after credits were missing, and at once after a grant or if a cap is set or removed', () => {
    const short = [...open, paused(310, '3000000')];
    expect(after(...short)).toMatchObject({
      paused: { requestId: 310, creditsRequired: '3000000' },
      dueAt: IN_AN_HOUR,
    });
    for (const type of ['CreditsGranted', 'CreditsAdjusted', 'BillingModeSet', 'CapSet', 'CapRemoved']) {
      const more = { type, data: { credits: '1000000' } };
      expect([type, after(...short, more)]).toEqual([
        type,
        expect.objectContaining({ paused: null, dueAt: NOW }),
      ]);
    }
    const less = { type: 'CreditsAdjusted', data: { credits: '-1000000' } };
    expect(after(...short, less)?.dueAt).toBe(IN_AN_HOUR);
    // A request planned meanwhile is created, and waits after it.
    expect(after(...short, planned(null, 312))).toMatchObject({ uncreated: 1, dueAt: NOW });
    expect(after(...short, planned(null, 312), created(312))?.dueAt).toBe(IN_AN_HOUR);
    expect(after(...short, ended(310))).toMatchObject({ paused: null, dueAt: NOW });
  });

  it('CAP-03 paused by a cap are due again at the end of the day, if that is sooner', () => {
    const pausedAt = '2026-01-05T23:30:00.000Z';
    const data = { requestId: 310, creditsRequired: '3000000', pausedAt };
    const capped = { ...data, pausedBy: 'cap' };
    const type = 'AccountRequestsPaused';
    expect(after(...open, { type, data })?.dueAt).toBe('2026-01-06T00:30:00.000Z');
    expect(after(...open, { type, data: capped })).toMatchObject({
      paused: { pausedBy: 'cap' },
      dueAt: '2026-01-06T00:00:00.000Z',
    });
    expect(after(...open, { type, data: { ...capped, pausedAt: NOW } })?.dueAt).toBe(IN_AN_HOUR);
  });

  it('OP-62 wait if everything that is left is switched off, until something is switched on', () => {
    const resting = [...open, paused(null, null)];
    expect(after(...resting)?.dueAt).toBeNull();
    expect(after(...resting, feature)).toMatchObject({ paused: null, lookAfter: 'feature', dueAt: NOW });
    const config = { type: 'PipelineConfigSet', id: 'config', data: {} };
    expect(after(...resting, config)).toMatchObject({ paused: null, lookAfter: 'config' });
  });

  it('OP-52 OP-62 do not wait if the event that ends the pause came before its record', () => {
    const seen = after(...open)?.wakes ?? 0;
    const config = { type: 'PipelineConfigSet', id: 'config', data: {} };
    const removed = { type: 'TopAccountRemoved', data: { accountId: 5, companyId: 9, removedAt: NOW } };
    for (const happened of [config, feature, removed, planned(null, 312)]) {
      const looked = [planned('config'), planned('feature'), created(312)];
      expect(after(...open, happened, paused(null, null, seen), ...looked)).toMatchObject({
        paused: null,
        dueAt: NOW,
      });
      expect(after(...open, paused(null, null, seen), happened, ...looked)?.dueAt).toBe(NOW);
    }
    const credited = { credits: '1000000' };
    for (const type of ['CreditsGranted', 'CreditsAdjusted', 'BillingModeSet', 'WorkspaceUnblocked']) {
      const more = { type, data: credited };
      expect(after(...open, more, paused(310, '3000000', seen))?.dueAt).toBe(NOW);
      expect(after(...open, more, paused(310, '3000000', seen + 1))?.dueAt).toBe(IN_AN_HOUR);
    }
  });

  it('OP-52 wait while the workspace is blocked', () => {
    const blocked = { type: 'WorkspaceBlocked', data: { reason: 'unpaid' } };
    const unblocked = { type: 'WorkspaceUnblocked', data: { reason: 'paid' } };
    expect(after(...open, blocked)?.dueAt).toBeNull();
    expect(after(blocked, ...open)?.dueAt).toBeNull();
    expect(after(...open, paused(310, '3000000'), blocked, unblocked)).toMatchObject({
      paused: null,
      dueAt: NOW,
    });
  });

  it('exclude a workspace without accounts, and requests of callers', () => {
    expect(after(feature)).toBeNull();
    expect(after(resolved)).toMatchObject({ lookAfter: null, dueAt: null });
    // Accounts found without a submission get no requests.
    expect(after(found, feature)).toMatchObject({ accounts: 1, lookAfter: null, dueAt: null });
    expect(after({ type: 'CreditsGranted', data: { credits: '1000000' } })).toBeNull();
    expect(after(...open, created(400, 'api'))).toMatchObject({ open: 2, uncreated: 0 });
  });
});
