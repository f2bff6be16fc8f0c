import { randomUUID } from 'node:crypto';
import { shareOf } from '#kernel/events/workspace-partition.js';
import { writeIdleCheckpoints } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { viewKey } from './registry.js';
import { furthestOf, type MergeOptions } from './share-merge.js';
import { putSharePlan, shareName, type SharePlan } from './share-plan.js';

/**
 * Writes a plan that begins at the position of the views, with a share for each holder; the first holder is this process.
 * Null if the views have no common position yet, or have read no event.
 */
export async function beginPlan(
  { context, group }: MergeOptions,
  views: readonly ProjectedView[],
  holders: readonly string[],
): Promise<SharePlan | null> {
  const { reads } = context;
  const [first] = views;
  // A session that was just opened: its next slice brings the views to one position. Reading to the end of the log here would
  // not end under load.
  if (first === undefined || views.some(({ position }) => position !== first.position)) return null;
  await writeIdleCheckpoints(context, views);
  // Every view has passed the position of every checkpoint.
  const furthest = furthestOf(views.map(({ checkpoint }) => checkpoint));
  if (furthest?.event === undefined) return null;
  const { position, event } = furthest;
  const plan: SharePlan = {
    id: randomUUID(),
    epoch: context.fence().epoch,
    views: views.map(({ projection, generation, checkpoint: { applied, ignored, parked } }) => ({
      view: viewKey(projection),
      generation: generation.generation,
      before: { applied, ignored, parked },
    })),
    shares: holders.map((each, rank) => ({
      name: shareName(group.name, rank),
      holder: each,
      ...shareOf(rank, holders.length),
    })),
    isEnded: false,
  };
  for (const { name } of plan.shares) await reads.createShare(name, { position, event, counts: {} });
  context.fence();
  await putSharePlan(reads, group.name, plan);
  return plan;
}
