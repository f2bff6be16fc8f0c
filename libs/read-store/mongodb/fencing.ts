import type { Db } from 'mongodb';
import { LeaseLost, type Fence } from '#kernel/ports/read-store.port.js';
import { catalogueEntries, leaseEntries, type CatalogueEntry } from './catalogue.js';

/**
 * Fencing without transactions. A document that only the holder of a lease may change carries the name of that
 * lease and the lowest epoch that may still write; each change is one compare-and-set on both. Who takes a
 * lease raises that epoch on all documents of the lease before it is told that it has it, and who gives it back
 * raises it above its own: from then on no write of an earlier holder passes, however late it arrives.
 */

/** Shuts out every epoch before this one. */
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
 * Puts documents under this fence that were under another lease or under none; rejects with `LeaseLost` when
 * the lease is not held. It is looked up after the change: had it been taken over in between, the taker may
 * have come too early to shut us out of these.
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
