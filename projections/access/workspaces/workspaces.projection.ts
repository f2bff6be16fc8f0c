import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { WorkspaceEvents } from '#access/domain/workspaces/workspace.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A workspace: its name, payer and features. */
export type WorkspaceDocument = {
  readonly id: number;
  readonly name: string;
  /** null until its first billing mode is set, while it is being provisioned. */
  readonly billing: 'self' | 'partner' | 'exempt' | null;
  readonly partnerId: number | null;
  readonly blocked: boolean;
  /** The time of the last unblocking, RFC 3339; null if there was none. */
  readonly unblockedAt: string | null;
  readonly accountMapping: boolean;
  readonly trialQuota: number | null;
  readonly topAccountListId: number | null;
  readonly employeeListId: number | null;
};

export const workspaceKey = (workspaceId: number): string => String(workspaceId);

type WorkspacePayloads = WorkspaceEvents & Pick<CreditPayloads, 'BillingModeSet'>;

export const workspaces = projection<WorkspaceDocument, WorkspacePayloads>()({
  name: 'workspaces',
  version: 2,
  indexes: { byId: ['id'], byPartner: ['partnerId', 'id'] },
  key: (event) => workspaceKey(workspaceIdOf(event)),
  on: {
    WorkspaceProvisioned: (before, event) => ({ ...known(before, event), ...event.data }),
    WorkspaceBlocked: (before, event) => ({ ...known(before, event), blocked: true }),
    WorkspaceUnblocked: (before, event) => ({
      ...known(before, event),
      blocked: false,
      unblockedAt: recordedAtOf(event),
    }),
    WorkspaceFeatureSet: (before, event) => ({ ...known(before, event), accountMapping: event.data.enabled }),
    TrialQuotaSet: (before, event) => ({ ...known(before, event), trialQuota: event.data.quota }),
    BillingModeSet: (before, event) => ({
      ...known(before, event),
      billing: event.data.billing,
      partnerId: event.data.partnerId ?? null,
    }),
  },
});

/** Its own stream and its ledger are two: whichever event comes first finds a workspace to begin with. */
function known(before: WorkspaceDocument | null, event: Recorded<unknown>): WorkspaceDocument {
  return (
    before ?? {
      id: workspaceIdOf(event),
      name: '',
      billing: null,
      partnerId: null,
      blocked: false,
      unblockedAt: null,
      accountMapping: false,
      trialQuota: null,
      topAccountListId: null,
      employeeListId: null,
    }
  );
}
