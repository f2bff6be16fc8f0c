import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { Checkpoint, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import { documentCache, type CacheBounds, type DocumentCache } from './document-cache.js';
import { settleInterruptedDrains } from './drain-note.js';
import { createGeneration, loadHalt, loadParked, type Halt, type ParkedWorkspace } from './parked.js';

/** One generation of one projection while it is being filled by this process. */
export type ProjectedView = {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly cache: DocumentCache;
  readonly parked: Map<string, ParkedWorkspace>;
  /** The stored checkpoint. */
  checkpoint: Checkpoint;
  /** All events of this projection up to here are handled. Events of others advance it, so it may be after the checkpoint. */
  position: Position;
  /** The position at which the checkpoint was last brought up to date; null if that is due. */
  settledAt: Position | null;
  /** The last own event came during a burst, so the checkpoint is written again until the burst ends. */
  trailing: boolean;
  halt: Halt | null;
  /** Its storage was created when it was opened, so the cache knows every document. */
  readonly isNew: boolean;
};

/** The checkpoint of a generation that has read nothing. */
export const NOTHING_DONE: Checkpoint = { position: START, applied: 0, ignored: 0, parked: 0 };

/**
 * Opens a generation at its checkpoint, and creates its storage if it is new. Needs the lease. `isEmpty`: nothing was
 * ever written to it.
 */
export async function openProjectedView(
  reads: ReadStore,
  projection: Projection,
  generationNumber: number,
  bounds: CacheBounds,
  isEmpty = false,
): Promise<ProjectedView> {
  const generation: Generation = { view: projection, generation: generationNumber };
  const { all } = await reads.generations(projection);
  const isNew = !all.includes(generationNumber);
  if (isNew) await createGeneration(reads, generation);
  const checkpoint = isNew ? NOTHING_DONE : ((await reads.checkpoint(generation)) ?? NOTHING_DONE);
  await settleInterruptedDrains(reads, generation, checkpoint);
  return {
    projection,
    generation,
    cache: documentCache(bounds, isNew || isEmpty),
    parked: await loadParked(reads, generation),
    checkpoint,
    position: checkpoint.position,
    settledAt: null,
    trailing: false,
    halt: await loadHalt(reads, generation),
    isNew,
  };
}

/** The position from which events are read so that none of these projected views misses one. */
export function oldestPosition(projectedViews: readonly Pick<ProjectedView, 'position'>[]): Position {
  let oldest: Position | null = null;
  for (const { position } of projectedViews) if (oldest === null || position < oldest) oldest = position;
  return oldest ?? START;
}

/** The number of events that a checkpoint counts. */
export function scanned({ applied, ignored, parked }: Checkpoint): number {
  return applied + ignored + parked;
}
