import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { VIEWS_AT_ONCE, type CatchingUp } from './catching-up.js';
import { dropGeneration, generationKey } from './parked.js';
import { openProjectedView, type ProjectedView } from './projected-view.js';
import type { RebuildNote } from './rebuild-note.js';
import { viewKey } from './registry.js';
import { findViews, renewMisfits } from './renew-misfits.js';
import type { SessionViews } from './session-views.js';
import { mergeShares, recallShares, releaseAll, removeShares, type MergeOptions } from './share-merge.js';
import { plannedGenerations, sharePlan } from './share-plan.js';

/**
 * Ends the plan of an earlier leader, and begins new generations of views with a log mismatch. The shares of a plan are
 * merged, or removed if the log is another one. Returns the generations that can be removed.
 */
export async function endEarlierPlan(
  merging: MergeOptions,
  onMisfit: () => Promise<void>,
  signal: AbortSignal,
): Promise<readonly Generation[]> {
  const { context, group } = merging;
  const plan = await sharePlan(context.reads, group.name);
  const recalled = plan === null ? null : await recallShares(merging, plan, signal);
  try {
    const misfits = await renewMisfits(context, group, await findViews(context, group), onMisfit);
    if (plan === null || recalled === null) return misfits;
    const planned = plannedGenerations(plan, group.projections).map(generationKey);
    if (misfits.some((generation) => planned.includes(generationKey(generation)))) {
      await removeShares(merging, recalled);
    } else await mergeShares(merging, recalled, signal);
    return misfits;
  } finally {
    // Also after an error: the next attempt takes the leases again.
    await releaseAll(recalled?.leases ?? []);
  }
}

/** Opens the generation of each view as it is stored. */
export async function takeUpViews(
  { context: { reads }, group, cacheBounds }: MergeOptions,
  { live, first, followed }: SessionViews,
  catching: CatchingUp,
): Promise<void> {
  const found = await sideBySide(group.projections, VIEWS_AT_ONCE, async (projection) => {
    const generations = await reads.generations(projection);
    const number = generations.live ?? Math.max(1, ...generations.all);
    return { generations, view: await openProjectedView(reads, projection, number, cacheBounds) };
  });
  for (const { generations, view } of found) {
    (generations.live === null ? first : live).set(view.projection.name, view);
    if (generations.live !== null && view.halt === null) followed.join(view);
    if (generations.live !== null && view.halt !== null) catching.start([view]);
  }
  // Together: after the read store was deleted, history is read once and not once per projection.
  if (first.size > 0) catching.start([...first.values()]);
}

/** Opens the generations of finished rebuilds that this session does not have yet. */
export async function openRebuilds(
  { context: { reads }, group, cacheBounds }: MergeOptions,
  opened: readonly ProjectedView[],
  ready: ReadonlyMap<string, RebuildNote>,
): Promise<readonly ProjectedView[]> {
  const isOpen = (projectionName: string, generation: number): boolean =>
    opened.some(
      (view) => view.projection.name === projectionName && view.generation.generation === generation,
    );
  const adopted: ProjectedView[] = [];
  for (const projection of group.projections) {
    const note = ready.get(viewKey(projection));
    if (note === undefined || isOpen(projection.name, note.generation)) continue;
    adopted.push(await openProjectedView(reads, projection, note.generation, cacheBounds));
    await nextTurn();
  }
  return adopted;
}

/** Removes generations in the background: emptying a large one takes time. The next leader finds the rest. */
export async function dropAll(
  reads: ReadStore,
  generations: readonly Generation[],
  signal: AbortSignal,
): Promise<void> {
  for (const generation of generations) {
    if (signal.aborted) return;
    try {
      await dropGeneration(reads, generation);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
