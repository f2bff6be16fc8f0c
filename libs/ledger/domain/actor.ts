import type { EventMetadata } from '#kernel/ports/event-store.port.js';

/** Who made an entry; `via` where the id was asserted at the command line and proven by nothing. */
export type Actor = { readonly kind: string; readonly id: string; readonly via?: 'cli' };

/** Who made an entry, as its metadata says. */
export function actorOf({ metadata }: { readonly metadata: EventMetadata }): Actor {
  const { actorKind = '', actorId = '', actorVia } = metadata;
  const actor = { kind: actorKind, id: actorId };
  return actorVia === 'cli' ? { ...actor, via: actorVia } : actor;
}
