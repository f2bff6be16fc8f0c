import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { kindOfList, ListType } from '#lists/domain/lists/list.events.js';
import { TrackingStatus } from '#lists/domain/lists/member.events.js';
import { requireList } from '#lists/domain/lists/list.js';
import type { List } from '#lists/domain/lists/list-state.js';
import type { ListDocument } from '#projections/lists/lists/lists.projection.js';

/** A list as v2 returns it. */
export const ListView = Type.Object(
  {
    id: Id,
    kind: OneOf('company', 'profile'),
    type: ListType,
    name: Type.String(),
    description: Nullable(Type.String()),
    tier: Nullable(Type.Integer({ minimum: 1, maximum: 3 })),
    default_tracking_status: TrackingStatus,
    default_signal_bucket: OneOf('bucket_1', 'bucket_2', 'bucket_3'),
    member_count: Type.Integer({ minimum: 0 }),
    bound_agent_count: Type.Integer({ minimum: 0 }),
    archived_at: Nullable(Timestamp),
    persona_ids: Type.Array(Id),
  },
  { title: 'List' },
);

export type ListAnswer = Omit<
  ListDocument,
  'workspaceId' | 'archived' | 'deleted' | 'membershipChanges' | 'signal_buckets' | 'monitoringRevision'
>;

/** The answer of a stored list, without the fields that are not part of the answer. */
export function listView(list: ListDocument): ListAnswer {
  const {
    workspaceId: _workspace,
    archived: _archived,
    deleted: _deleted,
    membershipChanges: _changes,
    signal_buckets: _buckets,
    monitoringRevision: _monitoring,
    ...view
  } = list;
  return view;
}

/** A list as it was just decided, without its bound agents, which come from their own streams. */
export function decidedListView(list: List): ListAnswer {
  const { listId, type, name, description, tier, defaultTrackingStatus, personaIds } = requireList(list);
  return {
    id: listId,
    kind: kindOfList(type),
    type,
    name,
    description,
    tier,
    default_tracking_status: defaultTrackingStatus,
    default_signal_bucket: 'bucket_1',
    member_count: list.membership.byId.size,
    bound_agent_count: 0,
    archived_at: list.archivedAt,
    persona_ids: personaIds,
  };
}
