import {
  kindOfList,
  type ListStreamEvents,
  type ListKind,
  type ListType,
  type MonitoredBuckets,
} from '#lists/domain/lists/list.events.js';
import type { ListBonds } from '#lists/domain/lists/list-bonds-facts.js';
import type { TrackingStatus } from '#lists/domain/lists/member.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A list as v2 returns it (snake_case), with internal fields. */
export type ListDocument = {
  readonly id: number;
  readonly kind: ListKind;
  readonly type: ListType;
  readonly name: string;
  readonly description: string | null;
  readonly tier: number | null;
  readonly default_tracking_status: TrackingStatus;
  readonly default_signal_bucket: 'bucket_1' | 'bucket_2' | 'bucket_3';
  readonly member_count: number;
  readonly bound_agent_count: number;
  readonly archived_at: string | null;
  readonly persona_ids: readonly number[];
  readonly workspaceId: number;
  readonly archived: boolean;
  /** The number of additions and removals: the length of the membership log. */
  readonly membershipChanges: number;
  /** Whether its members are monitored, unless a member has its own setting. */
  readonly signal_buckets: MonitoredBuckets;
  /** The revision of the list at which the monitoring was set last: earlier settings of members do not count. */
  readonly monitoringRevision: number | null;
  /** A deleted list is returned by no endpoint, but it can be restored as it was. */
  readonly deleted: boolean;
};

export const listKey = workspaceScoped;

export const lists = projection<ListDocument, ListStreamEvents & ListBonds>()({
  name: 'lists',
  version: 5,
  indexes: {
    active: ['workspaceId', 'deleted', 'archived', 'id'],
    all: ['workspaceId', 'deleted', 'id'],
  },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    const replaced = event.type === 'AgentBound' ? event.data.replacedListId : null;
    return [event.data.listId, replaced].flatMap((id) => (id === null ? [] : [listKey(workspaceId, id)]));
  },
  on: {
    ListCreated: (_, event) => ({
      id: event.data.listId,
      kind: kindOfList(event.data.type),
      type: event.data.type,
      name: event.data.name,
      description: event.data.description,
      tier: event.data.tier,
      default_tracking_status: event.data.defaultTrackingStatus,
      default_signal_bucket: 'bucket_1',
      member_count: 0,
      bound_agent_count: 0,
      archived_at: null,
      persona_ids: event.data.personaIds,
      workspaceId: workspaceIdOf(event),
      archived: false,
      membershipChanges: 0,
      signal_buckets: null,
      monitoringRevision: null,
      deleted: false,
    }),
    ListChanged: (list, { data: { changes } }) =>
      list && {
        ...list,
        name: changes.name ?? list.name,
        description: changes.description === undefined ? list.description : changes.description,
        default_tracking_status: changes.defaultTrackingStatus ?? list.default_tracking_status,
        persona_ids: changes.personaIds ?? list.persona_ids,
      },
    ListArchived: (list, { data }) => list && { ...list, archived: true, archived_at: data.archivedAt },
    ListUnarchived: (list) => list && { ...list, archived: false, archived_at: null },
    ListDeleted: (list) => list && { ...list, deleted: true },
    ListRestored: (list) => list && { ...list, deleted: false },
    ListMonitoringSet: (list, { data, revision }) =>
      list && { ...list, signal_buckets: data.buckets, monitoringRevision: Number(revision) },
    // The newly bound list gets one agent more, the list that was bound before one less.
    AgentBound: (list, { data }) => list && bound(list, list.id === data.listId ? 1 : -1),
    AgentUnbound: (list) => list && bound(list, -1),
    AgentDeleted: (list) => list && bound(list, -1),
    ListTierAssigned: (list, { data }) => list && { ...list, tier: data.tier },
    MembersAdded: (list, { data }) => list && changed(list, data.members.length, 1),
    MembersRemoved: (list, { data }) => list && changed(list, data.members.length, -1),
  },
});

const changed = (list: ListDocument, members: number, way: 1 | -1): ListDocument => ({
  ...list,
  member_count: list.member_count + way * members,
  membershipChanges: list.membershipChanges + members,
});

const bound = (list: ListDocument, agents: 1 | -1): ListDocument => ({
  ...list,
  bound_agent_count: list.bound_agent_count + agents,
});
