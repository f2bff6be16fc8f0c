import type { Fence, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import { fill } from './fill.js';
import { fillWrites } from './fill-writes.js';
import type { Pace, ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';

/** A generation that is filled under the fence of a lease of its own. */
export type LeasedView = {
  readonly view: ProjectedView;
  /** The fence for a write that starts now; throws `LeaseLost` if the lease is lost. */
  readonly fence: () => Fence;
};

export type FillContext = Pick<ProjectorContext, 'events' | 'reads' | 'decode'>;

/**
 * The maximum number of folded events before the indexes are built where others wait for a store with one writer: an
 * index of so many events is built in some milliseconds.
 */
const SMALL_INDEX_EVENTS = 10_000;

/**
 * The one way to fill generations of a rebuild, on any thread: history is read and decoded once for all of them, and
 * each is written under its own lease. Resolves when they are filled and indexed, halted, or stopped by the signal;
 * written data stays.
 */
export async function fillLeased(
  { events, reads, decode }: FillContext,
  leased: readonly LeasedView[],
  pace: Pace,
  signal: AbortSignal,
  onBatch: () => void,
): Promise<void> {
  const views = leased.map(({ view }) => view);
  const isAlone = pace.isAlone === true;
  const generations = views.map(({ generation }) => generation);
  const writes = isAlone ? fillWrites(reads, generations) : null;
  const fences = new Map(leased.map(({ view, fence }) => [view.generation, fence]));
  const context = {
    events,
    reads: underOwnFences(writes?.reads ?? reads, fences),
    decode,
    fence: () => commonFence(leased),
  };
  // A store with one writer locks while it builds an index.
  const indexAfter = reads.writersAtOnce === 1 && !isAlone ? SMALL_INDEX_EVENTS : undefined;
  try {
    if (!signal.aborted) await fill(context, views, pace, signal, onBatch, indexAfter);
    // Generations counted as present are present, also after a stop.
    await writes?.settled();
  } finally {
    writes?.end();
  }
}

/** Throws `LeaseLost` if any of the leases is lost: then the fill of all generations stops. */
function commonFence(leased: readonly LeasedView[]): Fence {
  const [first] = leased.map(({ fence }) => fence());
  if (first === undefined) throw new Error('no generation is filled');
  return first;
}

/** A store accepts one fence per write: each view is written under the fence of its own lease. */
function underOwnFences(reads: ReadStore, fences: ReadonlyMap<Generation, () => Fence>): ReadStore {
  const fenceOf = (generation: Generation): Fence => {
    const fence = fences.get(generation);
    if (fence === undefined) throw new Error(`no lease was taken for ${generation.view.name}`);
    return fence();
  };
  const write: ReadStore['write'] = async (writes) => {
    await Promise.all(writes.map((one) => reads.write([one], fenceOf(one.generation))));
  };
  return { ...reads, write };
}
