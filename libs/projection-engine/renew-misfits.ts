import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Generation, KeptCheckpoint, ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { fitWith, type Fit } from './fit.js';
import { createGeneration, generationKey } from './parked.js';
import { sharePlan } from './share-plan.js';
import { misfitNote, putMisfitNote, type MisfitNote } from './misfit-note.js';
import type { ProjectorContext } from './project-batch.js';
import { deleteRebuildNote, isUnderWay, rebuildNote } from './rebuild-note.js';
import type { ProjectionGroup } from './registry.js';
import { deleteMilestones } from './tombstones.js';

/** The generations of a view, and which of them were filled from another log than the current one. */
export type FoundView = {
  readonly projection: Projection;
  readonly live: number | null;
  readonly all: readonly number[];
  readonly misfits: readonly { readonly generation: number; readonly checkpoint: KeptCheckpoint }[];
};

const VIEWS_AT_ONCE = 8;

/** Looks at every generation of a group. The documents of a shared generation contain events of all shares. */
export async function findViews(
  stores: { readonly events: EventStore; readonly reads: ReadStore },
  { name: groupName, projections }: ProjectionGroup,
): Promise<readonly FoundView[]> {
  const { events, reads } = stores;
  const fits = fitWith(events);
  const misfit = await misfitShare(reads, groupName, fits);
  return sideBySide(projections, VIEWS_AT_ONCE, async (projection) => {
    const { live, all } = await reads.generations(projection);
    const misfits: { readonly generation: number; readonly checkpoint: KeptCheckpoint }[] = [];
    for (const generation of all) {
      const checkpoint = await reads.checkpoint({ view: projection, generation });
      if (checkpoint === null) continue;
      if (!(await fits(checkpoint))) misfits.push({ generation, checkpoint });
      else if (misfit?.isOf(projection, generation) === true)
        misfits.push({ generation, checkpoint: { ...checkpoint, ahead: misfit.ahead } });
    }
    return { projection, live, all, misfits };
  });
}

type MisfitShare = {
  readonly isOf: (projection: Projection, generation: number) => boolean;
  readonly ahead: NonNullable<KeptCheckpoint['ahead']>;
};

/** A share of the current plan with events that are not in the log; null if there is none. */
async function misfitShare(reads: ReadStore, groupName: string, fits: Fit): Promise<MisfitShare | null> {
  const plan = await sharePlan(reads, groupName);
  if (plan === null) return null;
  const planned = new Set(plan.shares.map(({ name }) => name));
  const views = new Set(plan.views.map(({ view, generation }) => `${view}.${generation}`));
  for (const { name, position, event, ahead } of await reads.shares()) {
    if (!planned.has(name) || event === undefined) continue;
    const checkpoint = { position, event, ...(ahead === undefined ? {} : { ahead }), ...NO_COUNTS };
    if (await fits(checkpoint)) continue;
    return {
      isOf: (projection, generation) => views.has(generationKey({ view: projection, generation })),
      ahead: ahead ?? { position, event },
    };
  }
  return null;
}

const NO_COUNTS = { applied: 0, ignored: 0, parked: 0 };

/** True if queries of the view would read another log's data, or if a generation of another log is still filled. */
export function isToBeRenewed({ live, all, misfits }: FoundView): boolean {
  const newest = live ?? all.at(-1);
  return misfits.some(({ generation }) => generation === newest);
}

/**
 * Takes views with a log mismatch out of service and begins a new generation of each, under the group's fence. Each
 * step can be repeated: after the death of a leader the next one finds the same. Returns the generations that can be
 * removed.
 */
export async function renewMisfits(
  context: ProjectorContext,
  group: ProjectionGroup,
  found: readonly FoundView[],
  clear: () => Promise<void>,
): Promise<readonly Generation[]> {
  const { reads } = context;
  const renewed = found.filter(isToBeRenewed);
  const before = await misfitNote(reads, group.name);
  if (renewed.length > 0)
    await putMisfitNote(reads, group.name, await noteOf(context.events, renewed, before));
  for (const view of found) if (view.misfits.length > 0) await endRebuild(reads, view);
  // Every query is refused before the first new generation is created, because creating takes a server a while.
  for (const { projection, live } of renewed) {
    if (live !== null) await reads.withdraw({ view: projection, generation: live }, context.fence());
  }
  await sideBySide(renewed, VIEWS_AT_ONCE, ({ projection, all }) =>
    createGeneration(reads, { view: projection, generation: Math.max(...all) + 1 }),
  );
  const note = await misfitNote(reads, group.name);
  if (note?.state === 'clearing') {
    await clear();
    await deleteMilestones(reads, group.name);
    context.fence();
    await putMisfitNote(reads, group.name, { ...note, state: 'building' });
  }
  return found.flatMap(({ projection, misfits }) =>
    misfits.map(({ generation }) => ({ view: projection, generation })),
  );
}

/** A rebuild from another log cannot go live; its process finds its generation gone. */
async function endRebuild(reads: ReadStore, { projection, live, misfits }: FoundView): Promise<void> {
  const note = await rebuildNote(reads, projection);
  if (!isUnderWay(note, live)) return;
  if (misfits.some(({ generation }) => generation === note.generation))
    await deleteRebuildNote(reads, projection);
}

async function noteOf(
  events: EventStore,
  renewed: readonly FoundView[],
  before: MisfitNote | null,
): Promise<MisfitNote> {
  const end = await events.lastEvent();
  let seenUntil = before?.seenUntil ?? null;
  for (const { checkpoint } of renewed.flatMap(({ misfits }) => misfits)) {
    const recordedAt = checkpoint.ahead?.event.recordedAt ?? checkpoint.event?.recordedAt ?? null;
    if (recordedAt !== null && recordedAt > (seenUntil ?? '')) seenUntil = recordedAt;
  }
  const views = new Set([...(before?.views ?? []), ...renewed.map(({ projection }) => projection.name)]);
  const endsAt = end === null ? null : (end.metadata['recordedAt'] ?? null);
  return { state: 'clearing', views: [...views].sort(), seenUntil, endsAt };
}
