import type { StoredEvent } from '#kernel/ports/event-store.port.js';

/**
 * An event as one line of text: everything about it but its position, which is the store's own. Two stores hold
 * the same history when they give the same lines in the same order; the SHA-256 of a store is that of its lines,
 * each ended by a line feed, in UTF-8.
 */
export function eventLine({ stream, revision, id, type, data, metadata }: StoredEvent): string {
  return JSON.stringify([stream, revision.toString(), id, type, data, metadata]);
}

/** The part of an event that messages name. */
export function placeOf(event: StoredEvent): { readonly stream: string; readonly revision: string } {
  return { stream: event.stream, revision: event.revision.toString() };
}
