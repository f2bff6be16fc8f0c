import type { Fence, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillAway, type FillElsewhere } from './fill-elsewhere.js';
import { fill, SMALL_INDEX_EVENTS } from './fill.js';
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

/** The slot of one generation in a fill, which starts when all slots are taken or given up. */
export type FillSeat = {
  /** The number of generations that share the memory of one. */
  readonly seats: number;
  /** Resolves in a turn of the event loop in which no other slot works: an embedded store works synchronously. */
  readonly turn: () => Promise<void>;
  /** Resolves when all are filled and indexed; false if one of them was asked to stop, and all have stopped. */
  readonly take: (filler: Filler) => Promise<boolean>;
  /** Gives up the slot; no effect if it is taken. */
  readonly giveUp: () => void;
};

type FillContext = Pick<ProjectorContext, 'events' | 'reads' | 'decode'> & {
  readonly elsewhere?: FillElsewhere | undefined;
};

/** The slots of one fill: history is read and decoded once for all of them. */
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

/** The memory that each of so many generations may use. */
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
  // Nothing is read from an empty log: a thread would take longer to start.
  if (isHeldUp && context.elsewhere !== undefined && (await context.events.lastEvent()) !== null) {
    if (!signal.aborted) await fillAway(context.elsewhere, fillers, first.bounds, signal, onBatch);
    return !signal.aborted;
  }
  const indexAfter = isHeldUp ? SMALL_INDEX_EVENTS : undefined;
  try {
    if (!signal.aborted)
      await fill({ ...context, reads, fence }, views, first.pace, signal, onBatch, indexAfter);
    // Generations counted as present are present, also after a stop.
    await writes?.settled();
  } finally {
    writes?.end();
  }
  return !signal.aborted;
}

/** A store accepts one fence per write: each view is written under the fence of its own lease. */
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
