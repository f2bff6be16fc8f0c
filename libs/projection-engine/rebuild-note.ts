import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import { viewKey } from './registry.js';

/**
 * Where a rebuild or a rollback stands, kept so that it survives its process: `building` is being filled,
 * `ready` has caught up and waits for the group's leader to take it in, `live` is done.
 */
export type RebuildNote = {
  readonly view: string;
  readonly state: 'building' | 'ready' | 'live';
  readonly kind: 'rebuild' | 'rollback';
  readonly generation: number;
  /** The generation that was live before: what a rollback goes back to. */
  readonly previous: number | null;
};

/** A note may be a step behind: its process can die after the pointer moved and before it said so. */
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

/** Takes a rebuild that cannot go live back from the leader's table; its owner finds out why. */
export async function putBackToBuilding(
  reads: ReadStore,
  { view, generation }: { readonly view: ViewShape; readonly generation: number },
): Promise<void> {
  const note = await rebuildNote(reads, view);
  if (note === null || note.generation !== generation || note.state !== 'ready') return;
  await putRebuildNote(reads, { ...note, state: 'building' });
}
