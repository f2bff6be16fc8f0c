import { companyIdOfStream, type MonitoringEvents } from '#monitoring/domain/monitoring.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A member that its list requests, or requested before. */
export type MonitoredMemberDocument = {
  readonly workspaceId: number;
  readonly listId: number;
  readonly memberId: number;
  /** The company of the workspace. */
  readonly companyId: number;
  /** The business units that request it because of this list. */
  readonly personaIds: readonly number[];
  readonly isWanted: boolean;
};

export const monitoredMemberKey = (workspaceId: number, listId: number, memberId: number): string =>
  `${workspaceId}_${listId}_${memberId}`;

export const monitoredMembers = projection<
  MonitoredMemberDocument,
  Pick<MonitoringEvents, 'MonitoringWanted' | 'MonitoringUnwanted'>
>()({
  name: 'monitored-members',
  version: 1,
  indexes: {
    byList: ['workspaceId', 'listId', 'memberId'],
    wanted: ['workspaceId', 'listId', 'isWanted'],
  },
  key: (event) => {
    const { kind, listId, memberId } = event.data.source;
    if (kind !== 'list' || listId === undefined || memberId === undefined) return null;
    return monitoredMemberKey(workspaceIdOf(event), listId, memberId);
  },
  on: {
    MonitoringWanted: (known, event) => {
      const { personaId, source } = event.data;
      const others = (known?.personaIds ?? []).filter((id) => id !== personaId);
      return {
        workspaceId: workspaceIdOf(event),
        listId: source.listId ?? 0,
        memberId: source.memberId ?? 0,
        companyId: companyIdOfStream(event),
        personaIds: [...others, personaId],
        isWanted: true,
      };
    },
    MonitoringUnwanted: (known, { data }) => {
      if (known === null) return null;
      const personaIds = known.personaIds.filter((id) => id !== data.personaId);
      return { ...known, personaIds, isWanted: personaIds.length > 0 };
    },
  },
});
