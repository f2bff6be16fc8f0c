import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';

/** An event of the log, for lists of operators. */
export const LoggedEvent = Type.Object({
  position: Type.String(),
  stream: Type.String(),
  revision: Type.Integer({ minimum: 0 }),
  type: Type.String(),
  recorded_at: Nullable(Type.String()),
  workspace_id: Nullable(Type.String()),
  /** Who wrote it: kind and name. */
  actor: Nullable(Type.String()),
});

export function loggedEvent(event: StoredEvent): Static<typeof LoggedEvent> {
  const { position, stream, revision, type, metadata } = event;
  const { actorKind, actorId } = metadata;
  return {
    position,
    stream,
    revision: Number(revision),
    type,
    recorded_at: metadata['recordedAt'] ?? null,
    workspace_id: metadata['workspaceId'] ?? null,
    actor: actorKind === undefined ? null : `${actorKind} ${actorId ?? ''}`.trim(),
  };
}
