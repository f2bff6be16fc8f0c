import { companyIdOfStream, type MonitoringEvents } from '#monitoring/domain/monitoring.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A top account that is requested because it was picked, or was before. */
export type PickedAccountDocument = {
  readonly workspaceId: number;
  readonly accountId: number;
  readonly companyId: number;
  /** The business units that request it because it was picked. */
  readonly personaIds: readonly number[];
};

export const pickedAccountKey = workspaceScoped;

export const pickedAccounts = projection<
  PickedAccountDocument,
  Pick<MonitoringEvents, 'MonitoringWanted' | 'MonitoringUnwanted'>
>()({
  name: 'picked-accounts',
  version: 1,
  indexes: { byWorkspace: ['workspaceId', 'accountId'] },
  key: (event) => {
    const { kind, accountId } = event.data.source;
    return kind === 'pick' && accountId !== undefined
      ? pickedAccountKey(workspaceIdOf(event), accountId)
      : null;
  },
  on: {
    MonitoringWanted: (known, event) => {
      const { personaId, source } = event.data;
      const others = (known?.personaIds ?? []).filter((id) => id !== personaId);
      return {
        workspaceId: workspaceIdOf(event),
        accountId: source.accountId ?? 0,
        companyId: companyIdOfStream(event),
        personaIds: [...others, personaId],
      };
    },
    MonitoringUnwanted: (known, { data }) =>
      known && { ...known, personaIds: known.personaIds.filter((id) => id !== data.personaId) },
  },
});
