import { LeaseLost } from '#kernel/ports/read-store.port.js';
import { sha256Hex } from '#kernel/values/hash.js';
import {
  holderOf,
  holdLease,
  LEASE_TIMING,
  type HeldLease,
  type LeaseStore,
} from '#projection-engine/held-lease.js';

/**
 * The number of partitions of the work. Each has a lease of its own, so this many workers can act at the same time, and
 * further ones stand by. Each lease is renewed every second.
 */
export const PARTITIONS = 4;

export function partitionLease(partition: number): string {
  return `processes:${partition}`;
}

function slotLease(slot: number): string {
  return `processes:seat:${slot}`;
}

/** Interval of the lease heartbeat, in real time, independent of the product's clock. */
export const LEASES_EVERY_MS = 1_000;

/** The partition of an item: the same in every process, for ever. */
export function partitionOf(processName: string, key: string): number {
  return Number.parseInt(sha256Hex(`${processName}:${key}`).slice(0, 8), 16) % PARTITIONS;
}

/** A partition whose lease this process holds. */
export type HeldPartition = {
  readonly number: number;
  /** Throws `LeaseLost` once another process may hold the partition. Call it right before each write. */
  readonly fence: () => void;
  /** Aborted when the lease is lost or is to be released. */
  readonly signal: AbortSignal;
};

/** The partitions of this process. */
export type Partitions = {
  readonly held: () => ReadonlyMap<number, HeldPartition>;
  /**
   * Takes free partitions up to the share of this process, and starts to release partitions above it. Call it every
   * `LEASES_EVERY_MS`. Workers with a slot share the partitions; each worker sees the slots of the others within one
   * heartbeat. Returns whether the held partitions have changed.
   */
  readonly lookAfter: () => Promise<boolean>;
  /** Releases those partitions that are to be released and on which this process no longer works. */
  readonly settle: (isIdle: (partition: number) => boolean) => Promise<void>;
  /** Releases all partitions at once. */
  readonly release: () => Promise<void>;
};

/** The number of partitions without a holder. */
export async function unstaffedPartitions(leases: Pick<LeaseStore, 'lease'>): Promise<number> {
  const everyPart = Array.from({ length: PARTITIONS }, (_, number) => partitionLease(number));
  return PARTITIONS - (await heldNow(leases, everyPart));
}

/** The number of these leases that have a holder. */
async function heldNow(leases: Pick<LeaseStore, 'lease'>, names: readonly string[]): Promise<number> {
  const all = await Promise.all(names.map((name) => leases.lease(name)));
  return all.filter((lease) => holderOf(lease) !== null).length;
}

type Held = HeldPartition & { readonly lease: HeldLease; readonly ending: AbortController };

export function partitions(leases: LeaseStore, holder: string): Partitions {
  const held = new Map<number, Held>();
  const leaving = new Map<number, Held>();
  let slot: { readonly number: number; readonly lease: HeldLease } | null = null;

  const isSure = (lease: HeldLease): boolean => {
    try {
      lease.fence();
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  };

  /** A worker without a slot stands by and asks for one at every heartbeat. */
  async function takeSlot(): Promise<void> {
    if (slot !== null && isSure(slot.lease)) return;
    await slot?.lease.release();
    slot = null;
    for (let number = 0; number < PARTITIONS; number += 1) {
      const lease = await holdLease(leases, slotLease(number), holder);
      if (lease === null) continue;
      slot = { number, lease };
      return;
    }
  }

  /** The share of this process: the workers with a slot together hold all partitions. */
  async function share(own: number): Promise<number> {
    const others = Array.from({ length: PARTITIONS }, (_, number) => number).filter(
      (number) => number !== own,
    );
    const workers = 1 + (await heldNow(leases, others.map(slotLease)));
    return Math.ceil(PARTITIONS / workers);
  }

  async function take(number: number): Promise<void> {
    const lease = await holdLease(leases, partitionLease(number), holder, LEASE_TIMING);
    if (lease === null) return;
    const ending = new AbortController();
    lease.onLost(() => ending.abort(new LeaseLost(partitionLease(number))));
    held.set(number, { number, lease, ending, signal: ending.signal, fence: () => void lease.fence() });
  }

  async function giveBack(part: Held): Promise<void> {
    part.ending.abort(new LeaseLost(partitionLease(part.number)));
    await part.lease.release();
  }

  async function look(): Promise<void> {
    for (const [number, part] of held) {
      if (isSure(part.lease)) continue;
      held.delete(number);
      await giveBack(part);
    }
    await takeSlot();
    const most = slot === null ? 0 : await share(slot.number);
    // Starts at its own slot, so that workers which start together do not contend for the same partitions.
    for (let step = 0; step < PARTITIONS && held.size < most; step += 1) {
      const number = ((slot?.number ?? 0) + step) % PARTITIONS;
      if (!held.has(number) && !leaving.has(number)) await take(number);
    }
    for (const [number, part] of held) {
      if (held.size <= most) break;
      held.delete(number);
      leaving.set(number, part);
      // Running work stops at its next step and continues in the process that takes the partition.
      part.ending.abort(new LeaseLost(partitionLease(number)));
    }
  }

  async function settle(isIdle: (partition: number) => boolean): Promise<void> {
    for (const [number, part] of leaving) {
      if (!isIdle(number)) continue;
      leaving.delete(number);
      await giveBack(part);
    }
  }

  return {
    held: () => held,
    async lookAfter() {
      const before = [...held.keys()].join();
      await look();
      return [...held.keys()].join() !== before;
    },
    settle,
    async release() {
      const parts = [...held.values(), ...leaving.values()];
      held.clear();
      leaving.clear();
      await Promise.all([...parts.map(giveBack), slot?.lease.release()]);
      slot = null;
    },
  };
}
