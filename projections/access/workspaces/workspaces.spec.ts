import { foldAll } from '#kernel/testing/project.js';
import { workspaceKey, workspaces } from './workspaces.projection.js';

const provisioned = {
  type: 'WorkspaceProvisioned',
  data: { name: 'Rivals Inc', topAccountListId: 5, employeeListId: 6 },
};
const partnerPays = { type: 'BillingModeSet', data: { billing: 'partner', partnerId: 4 } };
const workspaceAfter = (events: Parameters<typeof foldAll>[1]) =>
  foldAll(workspaces, events).get(workspaceKey(1));

describe('the workspaces read model', () => {
  it('shows what a workspace is called, who pays and what it may do', () => {
    const events = [
      provisioned,
      partnerPays,
      { type: 'WorkspaceFeatureSet', data: { feature: 'account_mapping', enabled: true } },
      { type: 'TrialQuotaSet', data: { quota: 50 } },
    ];
    expect(workspaceAfter(events)).toEqual({
      id: 1,
      name: 'Rivals Inc',
      billing: 'partner',
      partnerId: 4,
      blocked: false,
      unblockedAt: null,
      accountMapping: true,
      trialQuota: 50,
      topAccountListId: 5,
      employeeListId: 6,
    });
  });

  it('is the same when the ledger was opened before the workspace was provisioned', () => {
    expect(workspaceAfter([partnerPays, provisioned])).toEqual(workspaceAfter([provisioned, partnerPays]));
  });

  it('forgets the partner when the workspace pays itself again', () => {
    const self = { type: 'BillingModeSet', data: { billing: 'self' } };
    expect(workspaceAfter([provisioned, partnerPays, self])).toMatchObject({
      billing: 'self',
      partnerId: null,
    });
  });

  it('is blocked until it is unblocked', () => {
    const blocked = { type: 'WorkspaceBlocked', data: { reason: 'unpaid' } };
    const unblocked = { type: 'WorkspaceUnblocked', data: { reason: 'paid' } };
    expect(workspaceAfter([provisioned, blocked])?.blocked).toBe(true);
    const after = workspaceAfter([provisioned, blocked, unblocked]);
    expect(after).toMatchObject({ blocked: false, unblockedAt: expect.stringMatching(/Z$/) });
  });
});
