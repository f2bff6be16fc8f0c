import type { Projection } from '#kernel/projections/projection.js';
import type { FillElsewhere } from './fill-elsewhere.js';
import { fitWith } from './fit.js';
import type { HeldLease } from './held-lease.js';
import { dropGeneration } from './parked.js';
import type { Pace } from './project-batch.js';
import type { RebuildProgress } from './rebuild-progress.js';
import type { SwapOptions } from './swap-in.js';

export type RebuildOptions = {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops between two slices; what is built stays, and the next rebuild goes on with it. */
  readonly signal?: AbortSignal;
  /** Time a slice may keep the process's loop busy: more where nothing else runs in the process. */
  readonly pace?: Pace;
};

export type RebuilderOptions = SwapOptions & {
  readonly pace: Pace;
  /** Fills generations next to a running service; absent: this thread fills them. */
  readonly elsewhere?: FillElsewhere | undefined;
};

/** A rebuild, rollback or abandon that is not possible now; nothing was changed. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

/** Work on one projection, under its lease. */
export type RebuildWork = {
  readonly projection: Projection;
  readonly lease: HeldLease;
  /** The generation that queries read. */
  readonly live: number;
  /** Aborts when the caller or another process asks the work to stop. */
  readonly cancel: AbortSignal;
  readonly onProgress: RebuildOptions['onProgress'];
  readonly pace: Pace;
};

/** Throws `RebuildRefused` where there is none yet. */
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
): Promise<void> => dropGeneration(reads, { view: projection, generation });

/** Whether a generation was filled from the log that is there now. */
export async function isFit(
  { events, reads }: RebuilderOptions,
  projection: Projection,
  generation: number,
): Promise<boolean> {
  return fitWith(events)(await reads.checkpoint({ view: projection, generation }));
}
