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
 * Work is cut into this many parts, each under a lease of its own: so many workers can act at the same time, and
 * further ones stand by. Each costs a renewal a second.
 */
export const PARTITIONS = 4;

export function partitionLease(partition: number): string {
  return `processes:${partition}`;
}

function slotLease(slot: number): string {
  return `processes:seat:${slot}`;
}

/** How often leases are looked after: that runs on real time, whatever clock the work goes by. */
export const LEASES_EVERY_MS = 1_000;

/** The part that an item belongs to: the same in every process, for ever. */
export function partitionOf(processName: string, key: string): number {
  return Number.parseInt(sha256Hex(`${processName}:${key}`).slice(0, 8), 16) % PARTITIONS;
}

/** A part of the work that this process may do. */
export type HeldPartition = {
  readonly number: number;
  /** Throws `LeaseLost` from the moment on in which somebody else may do it: ask right before each write. */
  readonly fence: () => void;
  /** Aborted when it is lost or is to be given back. */
  readonly signal: AbortSignal;
};

/** What of the work this process does. */
export type Partitions = {
  readonly held: () => ReadonlyMap<number, HeldPartition>;
  /**
   * Takes what is free up to this process's share of it, and begins to give back what is above: to be called every
   * `LEASES_EVERY_MS`. Those workers count that have a slot; each of them sees the others' within a look. Whether
   * something else is held than before.
   */
  readonly lookAfter: () => Promise<boolean>;
  /** Of what is to be given back it gives what nobody works on here any more. */
  readonly settle: (isIdle: (partition: number) => boolean) => Promise<void>;
  /** Gives everything back at once. */
  readonly release: () => Promise<void>;
};

/** How many parts no process does now. */
export async function unstaffedPartitions(leases: Pick<LeaseStore, 'lease'>): Promise<number> {
  const everyPart = Array.from({ length: PARTITIONS }, (_, number) => partitionLease(number));
  return PARTITIONS - (await heldNow(leases, everyPart));
}

/** How many of these leases somebody holds now. */
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

  /** A worker without a slot is one too many for now: it asks again at every look. */
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

  /** How many parts are this process's: together the workers that have a slot take all of them. */
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
    // From its own slot on: workers that start together do not all ask for the same ones first.
    for (let step = 0; step < PARTITIONS && held.size < most; step += 1) {
      const number = ((slot?.number ?? 0) + step) % PARTITIONS;
      if (!held.has(number) && !leaving.has(number)) await take(number);
    }
    for (const [number, part] of held) {
      if (held.size <= most) break;
      held.delete(number);
      leaving.set(number, part);
      // What runs stops at its next step, and goes on where the part goes.
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
