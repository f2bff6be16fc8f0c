import type { CacheBounds } from './document-cache.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillAway, type FillElsewhere } from './fill-elsewhere.js';
import { fillLeased, type FillContext } from './fill-leased.js';
import type { HeldLease } from './held-lease.js';
import type { Pace } from './project-batch.js';
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

type SharedFillContext = FillContext & {
  readonly elsewhere?: FillElsewhere | undefined;
};

/** The slots of one fill: history is read and decoded once for all of them. */
export function sharedFill(context: SharedFillContext, seats: number): () => FillSeat {
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

async function fillAll(context: SharedFillContext, fillers: readonly Filler[]): Promise<boolean> {
  const [first] = fillers;
  if (first === undefined) return true;
  const { bounds, pace } = first;
  const signal = AbortSignal.any(fillers.map(({ cancel }) => cancel));
  const onBatch = (): void => {
    for (const filler of fillers) filler.onBatch();
  };
  const elsewhere = await usefulThread(context, pace);
  if (signal.aborted) return false;
  if (elsewhere !== null) await fillAway(elsewhere, fillers, bounds, signal, onBatch);
  else {
    const leased = fillers.map(({ view, lease: { fence } }) => ({ view, fence }));
    await fillLeased(context, leased, pace, signal, onBatch);
  }
  return !signal.aborted;
}

/** The other thread, where its start pays: others need this one, and the log has events. */
async function usefulThread(
  { events, elsewhere }: SharedFillContext,
  pace: Pace,
): Promise<FillElsewhere | null> {
  if (elsewhere === undefined || pace.isAlone === true) return null;
  return (await events.lastEvent()) === null ? null : elsewhere;
}
