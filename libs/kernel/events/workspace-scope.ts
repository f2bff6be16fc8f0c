import type { Recorded } from './event.js';

/** The workspace of an event. Throws if the event belongs to no workspace: a programming error of the fold. */
export function workspaceIdOf(event: Pick<Recorded<unknown>, 'type' | 'metadata'>): number {
  const workspaceId = Number(event.metadata['workspaceId']);
  if (Number.isSafeInteger(workspaceId) && workspaceId > 0) return workspaceId;
  throw new Error(`${event.type} names no workspace in its metadata`);
}
