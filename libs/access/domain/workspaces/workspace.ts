import { decider, type Decision } from '#kernel/commands/decider.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { refusal } from '#kernel/values/refusal.js';
import type { EventOf } from '#kernel/events/event.js';
import { workspaceEvents, type WorkspaceEvents } from './workspace.events.js';

export type Workspace = {
  readonly exists: boolean;
  readonly topAccountListId: number | null;
  readonly employeeListId: number | null;
  readonly blocked: boolean;
  /** The time of the last unblocking, RFC 3339; null if there was none. */
  readonly unblockedAt: string | null;
  readonly accountMapping: boolean;
  readonly trialQuota: number | null;
};

const unknownWorkspace = refusal({
  code: 'unknown-workspace',
  kind: 'missing',
  detail: 'There is no workspace with this id.',
});

export const workspaceBlocked = refusal({
  code: 'workspace-blocked',
  kind: 'forbidden',
  detail: 'The workspace is blocked.',
});

export const featureNotEnabled = refusal({
  code: 'feature-not-enabled',
  kind: 'forbidden',
  detail: 'Account mapping is not enabled for this workspace.',
});

export const workspace = decider<Workspace>()({
  category: 'workspace',
  scope: 'workspace',
  vocabulary: workspaceEvents,
  stops: (_state, events) =>
    events.some(
      ({ type, data }) => type === 'WorkspaceBlocked' || (type === 'WorkspaceFeatureSet' && !data.enabled),
    ),
  strict: true,
  initial: () => ({
    exists: false,
    topAccountListId: null,
    employeeListId: null,
    blocked: false,
    unblockedAt: null,
    accountMapping: false,
    trialQuota: null,
  }),
  on: {
    WorkspaceProvisioned: (state, { data }) => ({
      ...state,
      exists: true,
      topAccountListId: data.topAccountListId,
      employeeListId: data.employeeListId,
    }),
    WorkspaceBlocked: (state) => ({ ...state, blocked: true }),
    WorkspaceUnblocked: (state, event) => ({ ...state, blocked: false, unblockedAt: recordedAtOf(event) }),
    WorkspaceFeatureSet: (state, { data }) => ({ ...state, accountMapping: data.enabled }),
    TrialQuotaSet: (state, { data }) => ({ ...state, trialQuota: data.quota }),
  },
});

type WorkspaceDecision = Decision<Workspace, typeof workspaceEvents>;

export type Provision = WorkspaceEvents['WorkspaceProvisioned'] &
  Pick<Workspace, 'accountMapping' | 'trialQuota'>;

/** The first step of provisioning. Idempotent. */
export const provision =
  ({ name, topAccountListId, employeeListId, accountMapping, trialQuota }: Provision): WorkspaceDecision =>
  (state) => {
    if (state.exists) return [];
    return [
      { type: 'WorkspaceProvisioned', data: { name, topAccountListId, employeeListId } },
      { type: 'WorkspaceFeatureSet', data: { feature: 'account_mapping', enabled: accountMapping } },
      ...(trialQuota === null ? [] : [{ type: 'TrialQuotaSet' as const, data: { quota: trialQuota } }]),
    ];
  };

/** Throws `unknownWorkspace` for one that was never provisioned. */
export function requireWorkspace({ exists }: Pick<Workspace, 'exists'>): void {
  if (!exists) throw unknownWorkspace();
}

/** Throws `featureNotEnabled` for a workspace that does not have the feature. */
export function requireFeature(
  { accountMapping }: Pick<Workspace, 'accountMapping'>,
  feature: WorkspaceEvents['WorkspaceFeatureSet']['feature'],
): void {
  switch (feature) {
    case 'account_mapping':
      if (!accountMapping) throw featureNotEnabled();
  }
}

export const block =
  (reason: string): WorkspaceDecision =>
  (state) => {
    requireWorkspace(state);
    return state.blocked ? [] : [{ type: 'WorkspaceBlocked', data: { reason } }];
  };

export const unblock =
  (reason: string): WorkspaceDecision =>
  (state) => {
    requireWorkspace(state);
    return state.blocked ? [{ type: 'WorkspaceUnblocked', data: { reason } }] : [];
  };

/** Sets features and quotas; the others stay. Unchanged values are not recorded. A quota of null is no quota. */
export const setFeatures =
  ({
    accountMapping,
    trialQuota,
  }: {
    readonly accountMapping?: boolean;
    readonly trialQuota?: number | null;
  }): WorkspaceDecision =>
  (state) => {
    requireWorkspace(state);
    const events: EventOf<WorkspaceEvents>[] = [];
    if (accountMapping !== undefined && accountMapping !== state.accountMapping) {
      const data = { feature: 'account_mapping', enabled: accountMapping } as const;
      events.push({ type: 'WorkspaceFeatureSet', data });
    }
    if (trialQuota !== undefined && trialQuota !== state.trialQuota) {
      events.push({ type: 'TrialQuotaSet', data: { quota: trialQuota } });
    }
    return events;
  };
