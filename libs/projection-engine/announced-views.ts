import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { viewKey } from './registry.js';

/** The views that the holder of a lease projects, by view version, announced under the epoch of its lease. */
type Announcement = { readonly epoch: number; readonly views: readonly string[] };

// The form that earlier versions store.
const KIND = 'projection-roll';

export async function announceViews(
  reads: ReadStore,
  lease: string,
  epoch: number,
  projections: readonly Projection[],
): Promise<void> {
  await reads.putRecord(KIND, lease, { epoch, views: projections.map(viewKey) });
}

/** The views of the current holder of the lease; null if it has not announced them, or if the lease has no holder. */
export async function announcedViews(reads: ReadStore, lease: string): Promise<ReadonlySet<string> | null> {
  const current = await reads.lease(lease);
  if (current === null) return null;
  const announcement = await reads.getRecord<Announcement>(KIND, lease);
  return announcement === null || announcement.epoch !== current.epoch ? null : new Set(announcement.views);
}

/** The projections whose version the leader of their group does not know: a newer deployment has them. */
export async function projectionsUnknownTo(
  reads: ReadStore,
  lease: string,
  projections: readonly Projection[],
): Promise<readonly Projection[]> {
  const known = await announcedViews(reads, lease);
  return known === null ? [] : projections.filter((projection) => !known.has(viewKey(projection)));
}
