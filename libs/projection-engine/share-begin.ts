import { randomUUID } from 'node:crypto';
import { shareOf } from '#kernel/events/workspace-partition.js';
import { catchUp, writeIdleCheckpoints } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { viewKey } from './registry.js';
import type { MergeOptions } from './share-merge.js';
import { putSharePlan, shareName, type SharePlan } from './share-plan.js';

/**
 * Brings the views to one position and writes a plan that begins there, with a share for each holder; the first holder is
 * this process. Null if no event was projected yet, or if the signal aborts.
 */
export async function beginPlan(
  { context, group, pace }: MergeOptions,
  views: readonly ProjectedView[],
  holders: readonly string[],
  signal: AbortSignal,
): Promise<SharePlan | null> {
  const { reads } = context;
  await catchUp(context, views, pace, signal);
  await writeIdleCheckpoints(context, views);
  // Every view has passed the position of every checkpoint.
  const furthest = views
    .map(({ checkpoint }) => checkpoint)
    .reduce((left, right) => (right.position > left.position ? right : left));
  if (furthest.event === undefined || signal.aborted) return null;
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
