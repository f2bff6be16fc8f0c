import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { Checkpoint, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import { documentCache, type CacheBounds, type DocumentCache } from './document-cache.js';
import { settleInterruptedDrains } from './drain-note.js';
import { loadHalt, loadParked, type Halt, type ParkedWorkspace } from './parked.js';

/** One generation of one projection while it is being filled by this process. */
export type ProjectedView = {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly cache: DocumentCache;
  readonly parked: Map<string, ParkedWorkspace>;
  /** As the store has it. */
  checkpoint: Checkpoint;
  /** Everything of this projection up to here is handled; runs ahead of the checkpoint over foreign events. */
  position: Position;
  /** The position at which its checkpoint was last brought up to what it had passed; null where that is to be done. */
  settledAt: Position | null;
  /** Its last own event came in the middle of a burst: the checkpoint follows until the burst is over. */
  trailing: boolean;
  halt: Halt | null;
  /** Its storage was made as it was opened: there is nothing in it that it does not know. */
  readonly isNew: boolean;
};

const NOTHING_DONE: Checkpoint = { position: START, applied: 0, ignored: 0, parked: 0 };

/**
 * Takes up a generation where its checkpoint is; makes its storage when it is new. Needs its lease. `isEmpty`: nothing
 * was ever written to it.
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
  if (isNew) await reads.createGeneration(generation);
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

/** The position from which all of these projectedViews have everything they need. */
export function oldestPosition(projectedViews: readonly Pick<ProjectedView, 'position'>[]): Position {
  let oldest: Position | null = null;
  for (const { position } of projectedViews) if (oldest === null || position < oldest) oldest = position;
  return oldest ?? START;
}

/** Events that a checkpoint accounts for. */
export function scanned({ applied, ignored, parked }: Checkpoint): number {
  return applied + ignored + parked;
}
