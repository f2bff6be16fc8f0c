import type { StoredEvent } from '#kernel/ports/event-store.port.js';

/**
 * An event as one line of text, without its position, which depends on the store. Two stores have the same history if
 * their lines are the same in the same order. The SHA-256 of a store is that of its lines in UTF-8, each ended by a line
 * feed.
 */
export function eventLine({ stream, revision, id, type, data, metadata }: StoredEvent): string {
  return JSON.stringify([stream, revision.toString(), id, type, data, metadata]);
}

/** The part of an event that messages name. */
export function placeOf(event: StoredEvent): { readonly stream: string; readonly revision: string } {
  return { stream: event.stream, revision: event.revision.toString() };
}
