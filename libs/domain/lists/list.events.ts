import { event, type PayloadsOf } from '#kernel/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/schema.js';

export const COMPANY_LIST_TYPES = ['competitor', 'partner', 'customer', 'prospect'] as const;
export const PROFILE_LIST_TYPES = ['influencer', 'champion', 'employee'] as const;

export const ListType = OneOf(...COMPANY_LIST_TYPES, ...PROFILE_LIST_TYPES);
export type ListType = Static<typeof ListType>;
export type ListKind = 'company' | 'profile';

/** Whether a list holds companies or people follows from its type. */
export function kindOfList(type: ListType): ListKind {
  return PROFILE_LIST_TYPES.some((profileType) => profileType === type) ? 'profile' : 'company';
}

export const TrackingStatus = OneOf('followed', 'unfollowed');
export type TrackingStatus = Static<typeof TrackingStatus>;

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
      tier: Nullable(Type.Integer({ minimum: 1, maximum: 3 })),
      createdAt: Timestamp,
    }),
  ),
  ListChanged: event(Type.Object({ listId: Id, changes: Type.Partial(Type.Object(editable)) })),
  ListArchived: event(Type.Object({ listId: Id, archivedAt: Timestamp })),
  ListUnarchived: event(Type.Object({ listId: Id })),
  ListDeleted: event(Type.Object({ listId: Id, deletedAt: Timestamp })),
  ListRestored: event(Type.Object({ listId: Id })),
};
export type ListEvents = PayloadsOf<typeof listEvents>;
