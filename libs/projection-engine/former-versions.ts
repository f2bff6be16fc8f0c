import type { ReadStore, StoredGeneration, ViewShape } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { grouped } from '#kernel/values/grouped.js';
import { announcedViews } from './announced-views.js';
import { aheadLease, groupLease } from './group-lease.js';
import { livingHolder, type HeldLease } from './held-lease.js';
import { dropGeneration } from './parked.js';
import { deleteRebuildNote } from './rebuild-note.js';
import { viewKey } from './registry.js';

type UnderLease = (view: ViewShape, work: (lease: HeldLease) => Promise<void>) => Promise<void>;

/**
 * Removes the generations of earlier versions of a view, except a version that a running process projects: until it
 * ends, its answers come from it. A process of an earlier version that is started later builds its own again. Versions
 * above that of the view belong to a newer program and stay. Returns the number of removed generations.
 */
export async function dropFormerVersions(
  reads: ReadStore,
  groupName: string,
  { name, version }: Projection,
  underLease: UnderLease,
): Promise<number> {
  const former = (await reads.storedGenerations(name)).filter((stored) => stored.version < version);
  if (former.length === 0) return 0;
  const projected = await projectedViews(reads, groupName);
  return projected === null ? 0 : dropVersions(reads, name, former, projected, underLease);
}

/**
 * Removes the generations of views that this program does not have, under the same exception: another version of the
 * program had them, or builds its own again. Returns the numbers of removed generations by name.
 */
export async function dropUnknownViews(
  reads: ReadStore,
  groupName: string,
  knownNames: readonly string[],
  underLease: UnderLease,
): Promise<ReadonlyMap<string, number>> {
  const known = new Set(knownNames);
  const removed = new Map<string, number>();
  const unknown = (await reads.storedViews()).filter((name) => !known.has(name));
  if (unknown.length === 0) return removed;
  const projected = await projectedViews(reads, groupName);
  if (projected === null) return removed;
  for (const name of unknown) {
    const stored = await reads.storedGenerations(name);
    const dropped = await dropVersions(reads, name, stored, projected, underLease);
    if (dropped > 0) removed.set(name, dropped);
  }
  return removed;
}

async function dropVersions(
  reads: ReadStore,
  name: string,
  stored: readonly StoredGeneration[],
  projected: ReadonlySet<string>,
  underLease: UnderLease,
): Promise<number> {
  let dropped = 0;
  for (const [version, generations] of grouped(stored.map((one) => [one.version, one] as const))) {
    // Its indexes are not known here, and a removal does not need them.
    const view: ViewShape = { name, version, indexes: {} };
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
