import type { EventBatch } from '#kernel/ports/event-store.port.js';
import { LONGEST_GATHERING_MS, quietTurn } from '#kernel/commands/background-turn.js';
import type { Inbox } from './inbox.js';
import {
  projectBatch,
  returnToCheckpoints,
  sliceSize,
  type AroundSlice,
  type Pace,
  type ProjectorContext,
} from './project-batch.js';
import { oldestPosition, type ProjectedView } from './projected-view.js';
import { typesOf } from './registry.js';
import type { FollowedViews } from './session-views.js';
import { routesOf } from './slice.js';

export type Following = {
  readonly context: ProjectorContext;
  readonly pace: Pace;
  readonly box: Inbox;
  readonly followed: FollowedViews;
  readonly aroundSlice: AroundSlice | undefined;
  readonly onProgress: () => void;
  readonly isStopping: () => boolean;
  /** Called with each batch. */
  readonly onBatch?: (batch: EventBatch) => void;
  /** Lets events gather for at most so long before the next slice; default: while commands are decided in this process. */
  readonly gather?: (mostMs: number) => Promise<void>;
};

/** Times the duration of the last slice. Measured: three times is no better, four times worse (docs/adr/0148). */
const GATHERING_PER_SLICE = 2;

/**
 * Projects new events into all followed views, and runs posted tasks between two slices, until a view joins or leaves
 * or the session stops. While commands keep being decided, or wait for a server, the next events gather for up to twice as
 * long as the last ones took: a slice has a cost per read model, even with few events. Without commands nothing waits.
 */
export async function follow(following: Following): Promise<void> {
  const { pace, box, followed, onProgress, isStopping, gather = quietTurn } = following;
  const context = { ...following.context, aroundSlice: following.aroundSlice };
  const views = followed.subscribe();
  const routes = routesOf(views);
  const size = sliceSize(pace);
  const isOver = (): boolean => isStopping() || followed.isOutdated();
  const afterSlice = async (): Promise<'go on' | 'stop'> => {
    for (const view of views) if (view.halt !== null) followed.leave(view);
    onProgress();
    await box.runAll();
    return isOver() ? 'stop' : 'go on';
  };
  const arriving = subscription(following, views);
  let gatherMs = 0;
  try {
    while (!isOver()) {
      if (gatherMs > 0) await gather(gatherMs);
      if (isOver()) return;
      arriving.ask();
      await box.arrival();
      await box.runAll();
      if (isOver()) return;
      const batch = arriving.take();
      if (batch === null) continue;
      if (batch.resumed === true) {
        await returnToCheckpoints(context, views);
        return;
      }
      following.onBatch?.(batch);
      const startedAt = performance.now();
      await projectBatch(context, routes, views, batch, size, afterSlice);
      gatherMs = Math.min(LONGEST_GATHERING_MS, GATHERING_PER_SLICE * (performance.now() - startedAt));
    }
  } finally {
    await arriving.end();
  }
}

type Subscription = {
  /** Requests the next batch, unless it was requested; its arrival notifies the inbox. */
  readonly ask: () => void;
  /** The batch that has arrived; null while none has. */
  readonly take: () => EventBatch | null;
  readonly end: () => Promise<void>;
};

/** The events after the checkpoints of these views; nothing if there are no views. */
function subscription(
  { context: { events }, box }: Following,
  views: readonly ProjectedView[],
): Subscription {
  if (views.length === 0) return { ask: () => undefined, take: () => null, end: async () => undefined };
  const ended = new AbortController();
  const source = events
    .subscribe({
      after: oldestPosition(views),
      types: typesOf(views.map(({ projection }) => projection)),
      signal: ended.signal,
    })
    [Symbol.asyncIterator]();
  let arrived: IteratorResult<EventBatch> | null = null;
  let asked: Promise<void> | null = null;
  return {
    ask() {
      asked ??= source.next().then(
        (result) => {
          arrived = result;
          box.wake();
        },
        (error: unknown) => box.fail(error),
      );
    },
    take() {
      if (arrived === null) return null;
      const result = arrived;
      arrived = null;
      asked = null;
      if (result.done === true) throw new Error('the subscription ended by itself');
      return result.value;
    },
    async end() {
      ended.abort();
      await asked;
      await source.return?.();
    },
  };
}
