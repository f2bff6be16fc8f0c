import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { grouped } from '#kernel/values/grouped.js';
import { announcedViews } from './announced-views.js';
import { aheadLease, groupLease } from './group-lease.js';
import { livingHolder, type HeldLease } from './held-lease.js';
import { dropGeneration } from './parked.js';
import { deleteRebuildNote } from './rebuild-note.js';
import { viewKey } from './registry.js';

/**
 * Removes the generations of earlier versions of a view, except a version that a running process projects: until it
 * ends, its answers come from it. A process of an earlier version that is started later builds its own again. Versions
 * above that of the view belong to a newer program and stay. Returns the number of removed generations.
 */
export async function dropFormerVersions(
  reads: ReadStore,
  groupName: string,
  { name, version }: Projection,
  underLease: (view: ViewShape, work: (lease: HeldLease) => Promise<void>) => Promise<void>,
): Promise<number> {
  const former = (await reads.storedGenerations(name)).filter((stored) => stored.version < version);
  if (former.length === 0) return 0;
  const projected = await projectedViews(reads, groupName);
  if (projected === null) return 0;
  let dropped = 0;
  for (const [formerVersion, generations] of grouped(
    former.map((stored) => [stored.version, stored] as const),
  )) {
    // Its indexes are not known here, and a removal does not need them.
    const view: ViewShape = { name, version: formerVersion, indexes: {} };
    if (projected.has(viewKey(view))) continue;
    await underLease(view, async (lease) => {
      for (const { generation, isLive } of generations) {
        if (isLive) await reads.withdraw({ view, generation }, lease.fence());
        if (await dropGeneration(reads, { view, generation })) dropped += 1;
      }
      await deleteRebuildNote(reads, view);
    });
  }
  return dropped;
}

/** The views that running processes project; null if one of them has not announced its views yet. */
async function projectedViews(reads: ReadStore, groupName: string): Promise<ReadonlySet<string> | null> {
  const views = new Set<string>();
  for (const lease of [groupLease(groupName), aheadLease(groupName)]) {
    if (livingHolder(await reads.lease(lease)) === null) continue;
    const announced = await announcedViews(reads, lease);
    if (announced === null) return null;
    for (const view of announced) views.add(view);
  }
  return views;
}
