import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import { viewKey } from './registry.js';

/**
 * The state of a rebuild or rollback, stored so that it survives its process: `building` is being filled, `ready` has
 * caught up and waits for the group's leader, `live` is done.
 */
export type RebuildNote = {
  readonly view: string;
  readonly state: 'building' | 'ready' | 'live';
  readonly kind: 'rebuild' | 'rollback';
  readonly generation: number;
  /** The generation that was live before, to which a rollback returns. */
  readonly previous: number | null;
};

/** A note may be one step behind: its process can die after the pointer moved and before the note was written. */
export function isUnderWay(note: RebuildNote | null, live: number | null): note is RebuildNote {
  return note !== null && note.state !== 'live' && note.generation !== live;
}

const KIND = 'rebuild';

export async function rebuildNote(reads: ReadStore, view: ViewShape): Promise<RebuildNote | null> {
  return reads.getRecord<RebuildNote>(KIND, viewKey(view));
}

export async function putRebuildNote(reads: ReadStore, note: RebuildNote): Promise<void> {
  await reads.putRecord(KIND, note.view, note);
}

export async function deleteRebuildNote(reads: ReadStore, view: ViewShape): Promise<void> {
  await reads.deleteRecord(KIND, viewKey(view));
}

/** Rebuilds that wait for their group's leader, by view. */
export async function readyRebuilds(reads: ReadStore): Promise<ReadonlyMap<string, RebuildNote>> {
  const records = await reads.listRecords<RebuildNote>(KIND, '', 1_000);
  const ready = records.filter(({ value }) => value.state === 'ready');
  return new Map(ready.map(({ key, value }) => [key, value]));
}

/** Removes a rebuild that cannot go live from the leader's list; its owner gets the reason. */
export async function putBackToBuilding(
  reads: ReadStore,
  { view, generation }: { readonly view: ViewShape; readonly generation: number },
): Promise<void> {
  const note = await rebuildNote(reads, view);
  if (note === null || note.generation !== generation || note.state !== 'ready') return;
  await putRebuildNote(reads, { ...note, state: 'building' });
}
