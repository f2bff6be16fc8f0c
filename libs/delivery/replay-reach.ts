import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { feedBeginsAt, shownEntry } from './event-feed.js';

/** What a replay sends again: one event, or all events since a time. */
export type WantedReplay = { readonly eventId: string | null; readonly since: string | null };

/** Why a replay asked for at `now` cannot send this, by field; null: it can. A replay reaches back 30 days (DLV-03). */
export async function replayFaults(
  readModels: Pick<ReadModels, 'find'>,
  workspaceId: number,
  { eventId, since }: WantedReplay,
  now: Date,
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const begin = feedBeginsAt(now).toISOString();
  if (since !== null && since < begin) return fieldError('since', 'must be at most 30 days ago');
  if (since !== null && since > now.toISOString()) return fieldError('since', 'must not be in the future');
  if (eventId === null) return null;
  const known = await shownEntry(readModels, workspaceId, eventId);
  if (known === null) return fieldError('event', 'must be the id of an event of the workspace');
  return known.occurredAt < begin ? fieldError('event', 'must be an event of the last 30 days') : null;
}
