import type { Position } from '#kernel/ports/event-store.port.js';
import { catchUp, type Pace, type ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';

/**
 * Projects until every view has passed the position, or to the end of the log, which may move on faster than it is read. Stops
 * early as `catchUp` does.
 */
export async function catchUpTo(
  position: Position,
  context: ProjectorContext,
  views: readonly ProjectedView[],
  pace: Pace,
  signal: AbortSignal,
): Promise<void> {
  const isThere = (): boolean => views.every((view) => view.halt !== null || view.position >= position);
  if (isThere()) return;
  const there = new AbortController();
  await catchUp(context, views, pace, AbortSignal.any([signal, there.signal]), () => {
    if (isThere()) there.abort();
  });
}
