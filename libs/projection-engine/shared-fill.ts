import type { Fence, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillAway, type FillElsewhere } from './fill-elsewhere.js';
import { fill, fillIndexed } from './fill.js';
import { fillWrites } from './fill-writes.js';
import type { HeldLease } from './held-lease.js';
import type { Pace, ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';

/** A generation that is filled together with others, under a lease of its own. */
export type Filler = {
  readonly view: ProjectedView;
  readonly lease: HeldLease;
  readonly pace: Pace;
  readonly bounds: CacheBounds;
  /** Ends the fill for all of them. */
  readonly cancel: AbortSignal;
  readonly onBatch: () => void;
};

/** The place of one generation in a fill that waits for all its places to be taken or given up. */
export type FillSeat = {
  /** So many share what one of them could have alone. */
  readonly seats: number;
  /** Resolves in a turn of the loop in which no other seat does something: an embedded store does its work at once. */
  readonly turn: () => Promise<void>;
  /** Resolves when all are filled and indexed; false where one of them was asked to stop, and all have. */
  readonly take: (filler: Filler) => Promise<boolean>;
  /** Says that nobody comes; nothing happens where somebody has. */
  readonly giveUp: () => void;
};

type FillContext = Pick<ProjectorContext, 'events' | 'reads' | 'decode'> & {
  readonly elsewhere?: FillElsewhere | undefined;
};

/** Places of one fill: history is read and decoded once for all who take one. */
export function sharedFill(context: FillContext, seats: number): () => FillSeat {
  const fillers: Filler[] = [];
  let awaited = seats;
  let begin = (): void => undefined;
  const isComplete = new Promise<void>((resolve) => (begin = resolve));
  let filling: Promise<boolean> | null = null;
  let turns: Promise<void> = Promise.resolve();
  const turn = (): Promise<void> => (turns = turns.then(() => nextTurn()));
  const settle = (): void => {
    awaited -= 1;
    if (awaited === 0) begin();
  };
  return () => {
    let isSettled = false;
    return {
      seats,
      turn,
      take(filler) {
        isSettled = true;
        fillers.push(filler);
        settle();
        filling ??= isComplete.then(() => fillAll(context, fillers));
        return filling.finally(turn);
      },
      giveUp() {
        if (isSettled) return;
        isSettled = true;
        settle();
      },
    };
  };
}

/** What each of so many may keep in memory. */
export function sharedBounds({ maxDocuments, maxBytes }: CacheBounds, seats: number): CacheBounds {
  return { maxDocuments: Math.ceil(maxDocuments / seats), maxBytes: Math.ceil(maxBytes / seats) };
}

async function fillAll(context: FillContext, fillers: readonly Filler[]): Promise<boolean> {
  const [first] = fillers;
  if (first === undefined) return true;
  const signal = AbortSignal.any(fillers.map(({ cancel }) => cancel));
  const fence = (): Fence => {
    for (const { lease } of fillers) lease.fence();
    return first.lease.fence();
  };
  const views = fillers.map(({ view }) => view);
  const isAlone = first.pace.isAlone === true;
  const generations = views.map(({ generation }) => generation);
  const writes = isAlone ? fillWrites(context.reads, generations) : null;
  const reads = underOwnLeases(writes?.reads ?? context.reads, fillers);
  const onBatch = (): void => {
    for (const filler of fillers) filler.onBatch();
  };
  // A store with one writer locks while it builds an index.
  const isHeldUp = reads.writersAtOnce === 1 && !isAlone;
  if (isHeldUp && context.elsewhere !== undefined) {
    if (!signal.aborted) await fillAway(context.elsewhere, fillers, first.bounds, signal, onBatch);
    return !signal.aborted;
  }
  const fillViews = isHeldUp ? fillIndexed : fill;
  try {
    if (!signal.aborted) await fillViews({ ...context, reads, fence }, views, first.pace, signal, onBatch);
    // What is taken to be there is there, also where they were asked to stop.
    await writes?.settled();
  } finally {
    writes?.end();
  }
  return !signal.aborted;
}

/** A store takes one fence a write: each view is written under that of its own lease. */
function underOwnLeases(reads: ReadStore, fillers: readonly Filler[]): ReadStore {
  const leases = new Map<Generation, HeldLease>();
  for (const { view, lease } of fillers) leases.set(view.generation, lease);
  const fenceOf = (generation: Generation): Fence => {
    const lease = leases.get(generation);
    if (lease === undefined) throw new Error(`nobody fills ${generation.view.name}`);
    return lease.fence();
  };
  const write: ReadStore['write'] = async (writes) => {
    await Promise.all(writes.map((one) => reads.write([one], fenceOf(one.generation))));
  };
  return { ...reads, write };
}
