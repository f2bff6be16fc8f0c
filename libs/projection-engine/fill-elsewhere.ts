import type { Projection } from '#kernel/projections/projection.js';
import type { Fence } from '#kernel/ports/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import { fillLeased, type FillContext, type LeasedView } from './fill-leased.js';
import type { HeldLease } from './held-lease.js';
import { openProjectedView, type ProjectedView } from './projected-view.js';

/** A generation to fill, in the form that another thread receives. */
type AwayView = {
  readonly name: string;
  readonly generation: number;
  /** Nothing was ever written to it. */
  readonly isEmpty: boolean;
  /** The fence of the lease that the requesting thread holds and renews. */
  readonly fence: Fence;
};

/** The generations to fill together. */
export type AwayWork = { readonly views: readonly AwayView[]; readonly bounds: CacheBounds };

/** The progress of one generation. */
export type AwayStanding = Pick<ProjectedView, 'checkpoint' | 'position' | 'halt'>;

/** Called from time to time with the progress, in the order of the views; the last time when the work is done. */
type OnStandings = (standings: readonly AwayStanding[]) => void;

/**
 * Fills generations on another thread, so that the event loop of this one can answer requests. Resolves when they are
 * filled, halted, or stopped by the signal; rejects like a fill in this thread. Written data stays.
 */
export type FillElsewhere = (work: AwayWork, signal: AbortSignal, onStandings: OnStandings) => Promise<void>;

type Leased = { readonly view: ProjectedView; readonly lease: HeldLease };

/** Fills views of this thread on another thread, and takes over their state afterwards. */
export async function fillAway(
  elsewhere: FillElsewhere,
  leased: readonly Leased[],
  bounds: CacheBounds,
  signal: AbortSignal,
  onBatch: () => void,
): Promise<void> {
  const lost = new AbortController();
  for (const { lease } of leased) lease.onLost(() => lost.abort());
  const views = leased.map(({ view, lease }) => ({
    name: view.projection.name,
    generation: view.generation.generation,
    isEmpty: view.isNew,
    fence: lease.fence(),
  }));
  await elsewhere({ views, bounds }, AbortSignal.any([signal, lost.signal]), (standings) => {
    for (const [index, standing] of standings.entries()) Object.assign(leased[index]?.view ?? {}, standing);
    onBatch();
  });
  for (const { lease } of leased) lease.fence();
}

/** The resources of that thread. */
export type AwayContext = FillContext & {
  readonly projections: readonly Projection[];
  /** The longest time that the requesting thread waited to write since the last call. */
  readonly heldMs: () => number;
};

/** A slice delays the writers of the requesting thread at most so long; this thread's own loop has no other work. */
const MOST_HELD_MS = 3;
const MOST_SLICE_EVENTS = 2_000;

/** The worker side: fills the requested views, each under the fence that came with it. */
export async function fillHere(
  { projections, heldMs, ...context }: AwayContext,
  { views: asked, bounds }: AwayWork,
  signal: AbortSignal,
  onBatch: (standings: () => readonly AwayStanding[]) => void,
): Promise<readonly AwayStanding[]> {
  const leased: LeasedView[] = [];
  for (const { name, generation, isEmpty, fence } of asked) {
    const projection = projections.find((one) => one.name === name);
    if (projection === undefined) throw new Error(`no read model is called ${name}`);
    const view = await openProjectedView(context.reads, projection, generation, bounds, isEmpty);
    view.halt = null;
    leased.push({ view, fence: () => fence });
  }
  const standings = (): readonly AwayStanding[] =>
    leased.map(({ view: { checkpoint, position, halt } }) => ({ checkpoint, position, halt }));
  const pace = { sliceMs: MOST_HELD_MS, maxSliceEvents: MOST_SLICE_EVENTS, heldMs };
  await fillLeased(context, leased, pace, signal, () => onBatch(standings));
  return standings();
}
