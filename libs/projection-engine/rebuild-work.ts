import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { FillElsewhere } from './fill-elsewhere.js';
import { fitWith } from './fit.js';
import type { HeldLease } from './held-lease.js';
import { dropGeneration } from './parked.js';
import type { Pace } from './project-batch.js';
import { rebuildNote, type RebuildNote } from './rebuild-note.js';
import type { RebuildProgress } from './rebuild-progress.js';
import type { SwapOptions } from './swap-in.js';

export type RebuildOptions = {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops between two slices; written data stays, and the next rebuild continues from it. */
  readonly signal?: AbortSignal;
  /** The maximum time that a slice may block the event loop; more in a process without other work. */
  readonly pace?: Pace;
};

export type RollbackOptions = RebuildOptions & {
  /** The generation to go back to: nothing is done if it is live. Default: the one before, so that a repetition goes forth again. */
  readonly generation?: number | undefined;
};

export type RebuilderOptions = SwapOptions & {
  readonly pace: Pace;
  /** Fills generations next to a running service; absent: this thread fills them. */
  readonly elsewhere?: FillElsewhere | undefined;
};

/** Work that is not possible now, or that has stopped before its end; the live generation has not changed. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

export const serviceStops = (): StoreUnavailable =>
  new StoreUnavailable('read models are not filled any more: the service stops');

/** Another rebuild or rollback of this projection is under way. */
export const refusedBy = ({ kind }: RebuildNote, { name }: Projection): RebuildRefused =>
  new RebuildRefused(`A ${kind} of ${name} is under way: finish or abandon it`);

/** Work on one projection, under its lease. */
export type RebuildWork = {
  readonly projection: Projection;
  readonly lease: HeldLease;
  /** The live generation. */
  readonly live: number;
  /** Aborts when the caller or another process asks the work to stop. */
  readonly cancel: AbortSignal;
  readonly onProgress: RebuildOptions['onProgress'];
  readonly pace: Pace;
};

/** Throws `RebuildRefused` if there is none yet. */
export async function liveGeneration(
  { reads }: Pick<RebuilderOptions, 'reads'>,
  projection: Projection,
): Promise<number> {
  const { live } = await reads.generations(projection);
  if (live === null) throw new RebuildRefused(`${projection.name} has not caught up the first time yet`);
  return live;
}

export const drop = (
  { reads }: Pick<RebuilderOptions, 'reads'>,
  projection: Projection,
  generation: number,
): Promise<boolean> => dropGeneration(reads, { view: projection, generation });

/**
 * Removes the generations that no rollback can reach: shadows of verifications that were killed, and those of which an
 * abandonment that was killed has left no note. Returns their number. Must run under the lease of the projection.
 */
export async function dropStrays(
  options: Pick<RebuilderOptions, 'reads'>,
  projection: Projection,
  live: number,
): Promise<number> {
  const note = await rebuildNote(options.reads, projection);
  const { all } = await options.reads.generations(projection);
  const kept = [live, note?.generation, note?.previous];
  const strays = all.filter((generation) => !kept.includes(generation));
  for (const generation of strays) await drop(options, projection, generation);
  return strays.length;
}

/** Removes every generation but the live one; returns the removed ones. Throws if another one went live meanwhile. */
export async function dropOthers(
  options: Pick<RebuilderOptions, 'reads'>,
  projection: Projection,
  live: number,
): Promise<readonly number[]> {
  const { all } = await options.reads.generations(projection);
  const others = all.filter((generation) => generation !== live);
  for (const generation of others) {
    if (!(await drop(options, projection, generation)))
      throw new RebuildRefused(
        `Generation ${generation} of ${projection.name} went live meanwhile: try again`,
      );
  }
  return others;
}

/** Whether a generation was filled from the current log. */
export async function isFit(
  { events, reads }: RebuilderOptions,
  projection: Projection,
  generation: number,
): Promise<boolean> {
  return fitWith(events)(await reads.checkpoint({ view: projection, generation }));
}
