import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { memberEvents, TrackingStatus } from './member.events.js';

export const COMPANY_LIST_TYPES = ['competitor', 'partner', 'customer', 'prospect'] as const;
const PROFILE_LIST_TYPES = ['influencer', 'champion', 'employee'] as const;

export const ListType = OneOf(...COMPANY_LIST_TYPES, ...PROFILE_LIST_TYPES);
export type ListType = Static<typeof ListType>;
export type ListKind = 'company' | 'profile';

/** Whether a list holds companies or people follows from its type. */
export function kindOfList(type: ListType): ListKind {
  return PROFILE_LIST_TYPES.some((profileType) => profileType === type) ? 'profile' : 'company';
}

/** The bucket in which all members are monitored; null: none of them is. */
export const MonitoredBuckets = Nullable(Type.Array(OneOf('essential'), { minItems: 1, maxItems: 1 }));
export type MonitoredBuckets = Immutable<Static<typeof MonitoredBuckets>>;

/** 1 is the highest. */
const Tier = Type.Integer({ minimum: 1, maximum: 3 });

const editable = {
  name: Type.String(),
  description: Nullable(Type.String()),
  defaultTrackingStatus: TrackingStatus,
  personaIds: Type.Array(Id),
};

export const listEvents = {
  ListCreated: event(
    Type.Object({
      listId: Id,
      type: ListType,
      ...editable,
      tier: Nullable(Tier),
      createdAt: Timestamp,
    }),
  ),
  ListChanged: event(Type.Object({ listId: Id, changes: Type.Partial(Type.Object(editable)) })),
  ListArchived: event(Type.Object({ listId: Id, archivedAt: Timestamp })),
  ListUnarchived: event(Type.Object({ listId: Id })),
  ListDeleted: event(Type.Object({ listId: Id, deletedAt: Timestamp })),
  ListRestored: event(Type.Object({ listId: Id })),
  /** From now on the members of the list come from this CRM. */
  ListCrmBound: event(Type.Object({ listId: Id, crm: Type.String(), boundAt: Timestamp })),
  /** A segment was converted: the tier of the list from now on. */
  ListTierAssigned: event(Type.Object({ listId: Id, tier: Tier })),
  /** All members are monitored from now on, or none: the settings of single members are removed. */
  ListMonitoringSet: event(Type.Object({ listId: Id, buckets: MonitoredBuckets })),
  ...memberEvents,
};
export type ListStreamEvents = PayloadsOf<typeof listEvents>;
