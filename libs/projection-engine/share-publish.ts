import type { Position } from '#kernel/ports/event-store.port.js';
import type { Checkpoint, KeptShare } from '#kernel/ports/read-store.port.js';
import { generationKey, loadParked } from './parked.js';
import type { ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { furthestOf, mergedCounts, placeOfShare, sharesOf, slowestOf } from './share-merge.js';
import type { SharePlan } from './share-plan.js';
import type { ShareSession } from './share-session.js';

export type Published = {
  readonly context: ProjectorContext;
  readonly plan: SharePlan;
  /** The views of the plan, in its order. Their checkpoints, positions and parked workspaces are kept up to date. */
  readonly views: readonly ProjectedView[];
  /** The share of this process. */
  readonly own: ShareSession;
};

/**
 * Writes the checkpoints of the views: the position that all shares have reached, with the counts of all. So the
 * checkpoint of a view means the same as without shares. One call at a time. With `all` also those are written that have
 * passed only events of other views. Returns whether all shares have reached the own one.
 */
export type SharePublisher = (all: boolean) => Promise<boolean>;

type Share = Pick<KeptShare, 'position' | 'event' | 'counts'>;

export function sharePublisher({ context, plan, views, own }: Published): SharePublisher {
  const { reads } = context;
  /** The furthest position of a share when a view's counts last changed: its checkpoint follows up to there. */
  const changedUpTo = new Map<ProjectedView, Position>();

  const shares = async (): Promise<readonly Share[]> => {
    const [kept, ...others] = await sharesOf(reads, plan);
    const first = own.checkpoint() ?? kept;
    return first === undefined ? [] : [first, ...others];
  };

  /** The view with the counts of all shares; returns whether its checkpoint is to be written. */
  const isMoved = async (
    view: ProjectedView,
    counted: Checkpoint,
    slowest: Share,
    furthest: Share,
  ): Promise<boolean> => {
    const { applied, ignored, parked, position } = view.checkpoint;
    if (counted.applied !== applied || counted.ignored !== ignored || counted.parked !== parked)
      changedUpTo.set(view, furthest.position);
    view.checkpoint = counted;
    if (counted.parked !== parked)
      for (const [workspaceId, one] of await loadParked(reads, view.generation))
        view.parked.set(workspaceId, one);
    const isChanged = changedUpTo.has(view);
    if (slowest.position >= (changedUpTo.get(view) ?? '')) changedUpTo.delete(view);
    return isChanged && slowest.position > position;
  };

  return async (all) => {
    const found = await shares();
    const [slowest, furthest] = [slowestOf(found), furthestOf(found)];
    if (slowest === null || furthest === null || found.length < plan.shares.length) return false;
    const reached = placeOfShare(slowest);
    const { position } = reached;
    const moved: { readonly view: ProjectedView; readonly checkpoint: Checkpoint }[] = [];
    for (const [place, view] of views.entries()) {
      const counts = mergedCounts(plan.views[place]?.before, found, generationKey(view.generation));
      const isDue = await isMoved(view, { ...view.checkpoint, ...counts }, slowest, furthest);
      if (isDue || (all && position > view.checkpoint.position))
        moved.push({
          view,
          checkpoint: { ...view.checkpoint, ...reached },
        });
    }
    if (moved.length > 0) {
      const writes = moved.map(({ view, checkpoint }) => ({
        generation: view.generation,
        documents: [],
        checkpoint,
      }));
      await reads.write(writes, context.fence());
    }
    for (const { view, checkpoint } of moved) view.checkpoint = checkpoint;
    for (const view of views) if (view.position < position) view.position = position;
    return position >= (own.checkpoint()?.position ?? '');
  };
}
