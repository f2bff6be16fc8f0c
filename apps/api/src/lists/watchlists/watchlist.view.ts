import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { ListType } from '#lists/domain/lists/list.events.js';
import { TrackingStatus } from '#lists/domain/lists/member.events.js';
import type { ListAnswer } from '../list.view.js';

/** A list as the older path shows it (OP-47). */
export const WatchlistView = Type.Object(
  {
    id: Id,
    kind: OneOf('company', 'profile'),
    type: ListType,
    title: Type.String(),
    description: Nullable(Type.String()),
    default_tracking_status: TrackingStatus,
    entity_count: Type.Integer({ minimum: 0 }),
    bound_agent_count: Type.Integer({ minimum: 0 }),
    archived_at: Nullable(Timestamp),
    persona_ids: Type.Array(Id),
  },
  { title: 'Watchlist' },
);

export const watchlistView = (list: ListAnswer) => ({
  id: list.id,
  kind: list.kind,
  type: list.type,
  title: list.name,
  description: list.description,
  default_tracking_status: list.default_tracking_status,
  entity_count: list.member_count,
  bound_agent_count: list.bound_agent_count,
  archived_at: list.archived_at,
  persona_ids: list.persona_ids,
});

export type WatchlistAnswer = ReturnType<typeof watchlistView>;
