import type { Db } from 'mongodb';
import { LeaseLost, type Fence } from '#kernel/ports/read-store.port.js';
import { catalogueEntries, leaseEntries, type CatalogueEntry } from './catalogue.js';

/**
 * Fencing without transactions. A document that only the holder of a lease may change contains the name of that lease
 * and the lowest epoch that may still write; each change is one compare-and-set on both. Taking a lease raises that
 * epoch on all documents of the lease before the taker continues, and releasing it raises the epoch above its own:
 * from then on every write of an earlier holder is refused, however late it arrives.
 */

/** Refuses every epoch before this one from now on. */
export async function raiseFences(db: Db, lease: string, epoch: number): Promise<void> {
  await catalogueEntries(db).updateMany({ lease, fence: { $lt: epoch } }, { $set: { fence: epoch } });
}

/** Rejects with `LeaseLost` unless the fence is that of the holder. */
export async function requireHeld(db: Db, { lease, epoch }: Fence): Promise<void> {
  const entry = await leaseEntries(db).findOne({ _id: lease });
  if (entry === null || entry.holder === null || entry.epoch !== epoch) throw new LeaseLost(lease);
}

export function carries(entry: Pick<CatalogueEntry, 'lease' | 'fence'>, { lease, epoch }: Fence): boolean {
  return entry.lease === lease && entry.fence === epoch;
}

/**
 * Puts documents of another lease or of none under this fence; rejects with `LeaseLost` if the lease is not held. The
 * lease is read after the change: if it was taken over in between, the taker may have come too early to fence these
 * documents.
 */
export async function claim(db: Db, ids: readonly string[], fence: Fence): Promise<void> {
  const { lease, epoch } = fence;
  await requireHeld(db, fence);
  await catalogueEntries(db).updateMany(
    { _id: { $in: ids }, $or: [{ lease: { $ne: lease } }, { fence: { $lt: epoch } }] },
    { $set: { lease, fence: epoch } },
  );
  await requireHeld(db, fence);
}
