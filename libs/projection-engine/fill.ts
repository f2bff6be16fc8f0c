import { setImmediate as nextTurn } from 'node:timers/promises';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { catchUp, type Pace, type ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';

/**
 * The maximum number of folded events before the indexes are built: a store that locks during an index build must not
 * do so longer than its writers can wait.
 */
const INDEX_AFTER_EVENTS = 2_000_000;

/**
 * The number of views whose indexes are built at the same time; a store that builds one at a time queues the others.
 */
const INDEXED_AT_ONCE = 8;

/**
 * Catches up new generations to the end of the event store and builds their indexes, so that they can go live.
 * Documents come first: a table without indexes is filled several times as fast. Stops as `catchUp` does; finished
 * work stays.
 */
export async function fill(
  context: ProjectorContext,
  projectedViews: readonly ProjectedView[],
  pace: Pace,
  signal: AbortSignal,
  onBatch?: () => void,
  indexAfterEvents = INDEX_AFTER_EVENTS,
): Promise<void> {
  const index = indexing(context, signal);
  await catchUp(context, projectedViews, pace, signal, async () => {
    onBatch?.();
    await index(projectedViews.filter(({ checkpoint }) => checkpoint.applied >= indexAfterEvents));
  });
  await index(projectedViews);
  // Events appended while the indexes were built.
  if (!signal.aborted) await catchUp(context, projectedViews, pace, signal, onBatch);
}

/** Builds the indexes of each view once. */
function indexing(
  { reads }: ProjectorContext,
  signal: AbortSignal,
): (projectedViews: readonly ProjectedView[]) => Promise<void> {
  const indexed = new Set<ProjectedView>();
  return async (projectedViews) => {
    await sideBySide(projectedViews, INDEXED_AT_ONCE, async (projectedView) => {
      if (indexed.has(projectedView) || projectedView.halt !== null || signal.aborted) return;
      await unlessAborted(reads.indexGeneration(projectedView.generation), signal);
      indexed.add(projectedView);
      await nextTurn();
    });
  };
}

/** Stops waiting when the signal aborts; the store finishes or aborts the work by itself. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stopWaiting = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (stopWaiting = resolve));
  signal.addEventListener('abort', stopWaiting, { once: true });
  try {
    if (!signal.aborted) await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stopWaiting);
    // No caller waits for it any more, so its outcome is ignored.
    work.catch(() => undefined);
  }
}
