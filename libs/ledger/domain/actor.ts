import type { EventMetadata } from '#kernel/ports/event-store.port.js';

/** The actor of an entry. `via` is set if the id was asserted at the command line and not proven. */
export type Actor = { readonly kind: string; readonly id: string; readonly via?: 'cli' };

/** The actor of an entry, from its metadata. */
export function actorOf({ metadata }: { readonly metadata: EventMetadata }): Actor {
  const { actorKind = '', actorId = '', actorVia } = metadata;
  const actor = { kind: actorKind, id: actorId };
  return actorVia === 'cli' ? { ...actor, via: actorVia } : actor;
}
