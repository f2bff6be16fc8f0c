import type { Checkpoint, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import {
  deleteParkedEvents,
  deleteParkedWorkspace,
  generationKey,
  nextParkedEvents,
  parkedKey,
} from './parked.js';

/** The drain in progress, recorded so that no event is counted twice after a crash. */
type DrainNote = { readonly workspaceId: string; readonly upTo: string; readonly parkedBefore: number };

export async function putDrainNote(reads: ReadStore, generation: Generation, note: DrainNote): Promise<void> {
  await reads.putRecord('drain', parkedKey(generation, note.workspaceId), note);
}

export async function deleteDrainNote(
  reads: ReadStore,
  generation: Generation,
  workspaceId: string,
): Promise<void> {
  await reads.deleteRecord('drain', parkedKey(generation, workspaceId));
}

/**
 * Finishes drains that stopped after writing their documents and before removing the parked records. The drain's
 * write is the first one after its note, so a changed number of parked events shows that it happened.
 */
export async function settleInterruptedDrains(
  reads: ReadStore,
  generation: Generation,
  checkpoint: Checkpoint,
): Promise<void> {
  const notes = await reads.listRecords<DrainNote>('drain', `${generationKey(generation)}/`, 1_000);
  for (const { value } of notes) {
    if (checkpoint.parked !== value.parkedBefore) await removeDrained(reads, generation, value);
    await deleteDrainNote(reads, generation, value.workspaceId);
  }
}

async function removeDrained(reads: ReadStore, generation: Generation, note: DrainNote): Promise<void> {
  const parked = await nextParkedEvents(reads, generation, note.workspaceId);
  const drained = parked.filter(({ position }) => position <= note.upTo);
  await deleteParkedEvents(reads, generation, note.workspaceId, drained);
  const left = await nextParkedEvents(reads, generation, note.workspaceId);
  if (left.length === 0) await deleteParkedWorkspace(reads, generation, note.workspaceId);
}
