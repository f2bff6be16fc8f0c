import type { Recorded } from './event.js';

/** The workspace an event belongs to. Throws for an event that belongs to none: a fold of ours is wrong then. */
export function workspaceIdOf(event: Pick<Recorded<unknown>, 'type' | 'metadata'>): number {
  const workspaceId = Number(event.metadata['workspaceId']);
  if (Number.isSafeInteger(workspaceId) && workspaceId > 0) return workspaceId;
  throw new Error(`${event.type} names no workspace in its metadata`);
}
