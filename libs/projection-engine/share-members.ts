import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { announcedViews } from './announced-views.js';
import { livingHolder } from './held-lease.js';
import { viewKey } from './registry.js';

/** The workers that may project a share: each holds the lease of a place. There are no more shares than partitions. */
const PLACES: readonly number[] = Array.from({ length: PARTITIONS }, (_, place) => place);

function memberLease(groupName: string, place: number): string {
  return `projections:${groupName}:member:${place}`;
}

/** The name of a lease and who holds it; null if nobody does. */
type MemberPlace = { readonly name: string; readonly holder: string | null; readonly epoch: number };

/** All places, in order. In one turn, so that a server answers all reads in one call. */
export async function memberPlaces(reads: ReadStore, groupName: string): Promise<readonly MemberPlace[]> {
  const names = PLACES.map((place) => memberLease(groupName, place));
  const leases = await Promise.all(names.map((name) => reads.lease(name)));
  return names.map((name, place) => ({
    name,
    holder: livingHolder(leases[place] ?? null),
    epoch: leases[place]?.epoch ?? 0,
  }));
}

/** Finds the workers that project exactly these views: another version of the program may have others. */
export function memberWatch(
  reads: ReadStore,
  groupName: string,
  projections: readonly Projection[],
): () => Promise<readonly string[]> {
  const own = projections.map(viewKey);
  /** Whether the holder of a place has the same views, by lease and epoch. */
  const known = new Map<string, boolean>();

  const hasSameViews = async ({ name, epoch }: MemberPlace): Promise<boolean> => {
    const key = `${name}/${epoch}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const views = await announcedViews(reads, name);
    // Not announced yet: asked again.
    if (views === null) return false;
    const isSame = views.size === own.length && own.every((view) => views.has(view));
    known.set(key, isSame);
    return isSame;
  };

  return async () => {
    const held = (await memberPlaces(reads, groupName)).filter(({ holder }) => holder !== null);
    const same = await Promise.all(held.map(hasSameViews));
    return held
      .flatMap(({ holder }, index) => (same[index] === true && holder !== null ? [holder] : []))
      .sort();
  };
}
