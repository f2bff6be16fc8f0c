import type { ReadStore } from '#kernel/ports/read-store.port.js';

/**
 * Frees a lease, as its expiry would, without waiting for it; its holder loses it. Returns its epoch; 0 if there is no such
 * lease.
 */
export async function freeLease(
  reads: Pick<ReadStore, 'lease' | 'releaseLease'>,
  name: string,
): Promise<number> {
  const lease = await reads.lease(name);
  if (lease === null) return 0;
  await reads.releaseLease(name, { lease: name, epoch: lease.epoch });
  return lease.epoch;
}
