import { PARTITIONS, shareOf, type PartitionRange } from '#kernel/events/workspace-partition.js';
import { LeaseLost, type Lease, type LeaseStore } from '#kernel/ports/read-store.port.js';
import { holderOf, holdLease, livingHolder, type HeldLease } from '#projection-engine/held-lease.js';

/**
 * The partitions of the work are those of the workspaces. Each has a lease of its own, so that many workers can act at the
 * same time, and further ones stand by. A worker renews all that it holds in one call.
 */
const NUMBERS: readonly number[] = Array.from({ length: PARTITIONS }, (_, number) => number);

export function partitionLease(partition: number): string {
  return `processes:part:${partition}`;
}

function slotLease(slot: number): string {
  return `processes:worker:${slot}`;
}

/** The leases of a worker of an earlier version, which had four partitions with another rule. */
const EARLIER_SLOTS = [0, 1, 2, 3].map((slot) => `processes:seat:${slot}`);

/** Interval of the lease heartbeat, in real time, independent of the product's clock. */
export const LEASES_EVERY_MS = 1_000;

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
  const found = await read(leases, NUMBERS.map(partitionLease));
  return found.filter((lease) => holderOf(lease) === null).length;
}

/** In one turn, so that a server answers all reads in one call. */
function read(
  leases: Pick<LeaseStore, 'lease'>,
  names: readonly string[],
): Promise<readonly (Lease | null)[]> {
  return Promise.all(names.map((name) => leases.lease(name)));
}

type Held = HeldPartition & { readonly lease: HeldLease; readonly ending: AbortController };
const NOTHING: PartitionRange = { from: 0, size: 0 };

export function partitions(leases: LeaseStore, holder: string): Partitions {
  const held = new Map<number, Held>();
  const leaving = new Map<number, Held>();
  let slot: { readonly number: number; readonly lease: HeldLease } | null = null;

  /**
   * True if it has no holder, has expired, its holder was a process of this host that has ended, or this process no
   * longer has a record of it.
   */
  const isFree = (lease: Lease | null | undefined): boolean => {
    const living = livingHolder(lease ?? null);
    return living === null || living === holder;
  };

  const isSure = (lease: HeldLease): boolean => {
    try {
      lease.fence();
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  };

  /** A worker without a slot is on standby and requests one at every heartbeat. */
  async function takeSlot(isTaken: (number: number) => boolean): Promise<void> {
    if (slot !== null && isSure(slot.lease)) return;
    await slot?.lease.release();
    slot = null;
    for (const number of NUMBERS) {
      if (isTaken(number)) continue;
      const lease = await holdLease(leases, slotLease(number), holder);
      if (lease === null) continue;
      slot = { number, lease };
      return;
    }
  }

  /**
   * The share of this process among the workers with a slot. While a worker of an earlier version is active, other
   * workers get no share, because it would do the same items.
   */
  async function share(): Promise<PartitionRange> {
    const found = await read(leases, [...NUMBERS.map(slotLease), ...EARLIER_SLOTS]);
    const isTaken = (place: number): boolean => !isFree(found[place]);
    await takeSlot(isTaken);
    if (slot === null || EARLIER_SLOTS.some((_, index) => isTaken(PARTITIONS + index))) return NOTHING;
    const own = slot.number;
    const others = NUMBERS.filter((number) => number !== own && isTaken(number));
    return shareOf(others.filter((number) => number < own).length, others.length + 1);
  }

  async function take(number: number): Promise<void> {
    const lease = await holdLease(leases, partitionLease(number), holder);
    if (lease === null) return;
    const ending = new AbortController();
    lease.onLost(() => ending.abort(new LeaseLost(partitionLease(number))));
    held.set(number, { number, lease, ending, signal: ending.signal, fence: () => void lease.fence() });
  }

  async function giveBack(part: Held): Promise<void> {
    part.ending.abort(new LeaseLost(partitionLease(part.number)));
    await part.lease.release();
  }

  /** Begins with its own range, so that workers which start together do not contend for the same partitions. */
  async function takeUpTo({ from, size }: PartitionRange): Promise<void> {
    const wanted = NUMBERS.map((step) => (from + step) % PARTITIONS).filter(
      (number) => !held.has(number) && !leaving.has(number),
    );
    const found = await read(leases, wanted.map(partitionLease));
    const free = wanted.filter((_, place) => isFree(found[place]));
    const taken = await Promise.allSettled(free.slice(0, size - held.size).map(take));
    for (const each of taken) if (each.status === 'rejected') throw each.reason;
  }

  async function look(): Promise<void> {
    for (const [number, part] of held) {
      if (isSure(part.lease)) continue;
      held.delete(number);
      await giveBack(part);
    }
    const own = await share();
    if (held.size < own.size) await takeUpTo(own);
    // First partitions in the range of another worker.
    const isOwn = (number: number): boolean => number >= own.from && number < own.from + own.size;
    const least = [...held.values()].sort(
      (left, right) => Number(isOwn(left.number)) - Number(isOwn(right.number)),
    );
    for (const part of least.slice(0, Math.max(0, held.size - own.size))) {
      held.delete(part.number);
      leaving.set(part.number, part);
      // Running work stops at its next step and continues in the process that takes the partition.
      part.ending.abort(new LeaseLost(partitionLease(part.number)));
    }
  }

  async function settle(isIdle: (partition: number) => boolean): Promise<void> {
    const idle = [...leaving.values()].filter(({ number }) => isIdle(number));
    for (const { number } of idle) leaving.delete(number);
    await Promise.all(idle.map(giveBack));
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
      // A lease that cannot be released while the store is unavailable expires.
      await Promise.allSettled([...parts.map(giveBack), slot?.lease.release()]);
      slot = null;
    },
  };
}
