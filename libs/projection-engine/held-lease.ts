import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { everyBeat } from '#kernel/commands/beat.js';
import { together } from '#kernel/commands/together.js';
import { LeaseLost, type Fence, type Lease, type LeaseStore } from '#kernel/ports/read-store.port.js';

export type LeaseTiming = {
  /** How long a lease lives without being renewed. */
  readonly ttlMs: number;
  readonly renewEveryMs: number;
};

/** 5 s, renewed every second: real time, never the product clock. */
export const LEASE_TIMING: LeaseTiming = { ttlMs: 5_000, renewEveryMs: 1_000 };

/** A lease that this process holds and renews until it is lost or released. */
export type HeldLease = {
  /** The fence for a write that starts now. Throws `LeaseLost` if the lease is lost or too old to be certain. */
  readonly fence: () => Fence;
  readonly onLost: (listener: () => void) => void;
  readonly release: () => Promise<void>;
};

/** The holder of a lease when it was read, by the store's clock; null if there was none. */
export function holderOf(lease: Lease | null): string | null {
  return lease === null || lease.remainingMs <= 0 ? null : lease.holder;
}

/** The same, but null for a process of this host that has ended. */
export function livingHolder(lease: Lease | null): string | null {
  const holder = holderOf(lease);
  return holder === null || isDeadNeighbour(holder) ? null : holder;
}

/** The name of this process as a holder: `host:pid:random`. */
export function processHolder(): string {
  return `${hostname()}:${process.pid}:${randomUUID()}`;
}

/** Host and process id of a holder. */
export const placeOfHolder = (holder: string): string => holder.split(':').slice(0, 2).join(':');

/**
 * Takes a lease that is free, expired, or held by a dead process of this host; null if it is held. A dead process is
 * detected by its pid: the fence makes a wrong guess (shared host names) harmless. With another `isOver` the lease of a
 * living holder can be taken, whose writes then fail.
 */
export async function holdLease(
  reads: LeaseStore,
  name: string,
  holder: string,
  timing: LeaseTiming = LEASE_TIMING,
  isOver: (holder: string) => boolean = isDeadNeighbour,
): Promise<HeldLease | null> {
  let askedAt = performance.now();
  let lease = await reads.acquireLease(name, holder, timing.ttlMs);
  if (lease === null) {
    const current = await reads.lease(name);
    if (current === null || !isOver(current.holder)) return null;
    await reads.releaseLease(name, { lease: name, epoch: current.epoch });
    askedAt = performance.now();
    lease = await reads.acquireLease(name, holder, timing.ttlMs);
    if (lease === null) return null;
  }
  const fence: Fence = { lease: name, epoch: lease.epoch };
  const listeners: (() => void)[] = [];
  let lost = false;
  const lose = (): void => {
    if (lost) return;
    lost = true;
    stopRenewing();
    for (const listener of listeners) listener();
  };
  let renewing: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    const renewalAskedAt = performance.now();
    if (await renewTogether(reads, timing.ttlMs)(fence)) askedAt = renewalAskedAt;
    else lose();
  };
  // A renewal that fails because the store is unavailable is repeated at the next heartbeat; the age check decides.
  const stopRenewing = everyBeat(timing.renewEveryMs, () => {
    renewing = renewing.then(renew).catch(() => undefined);
  });

  return {
    fence: () => {
      if (!lost && performance.now() - askedAt > timing.ttlMs * SURE_SHARE) lose();
      if (lost) throw new LeaseLost(name);
      return fence;
    },
    onLost: (listener) => {
      if (lost) listener();
      else listeners.push(listener);
    },
    release: async () => {
      stopRenewing();
      await renewing;
      if (!lost) await reads.releaseLease(name, fence);
      lost = true;
    },
  };
}

type Renew = (fence: Fence) => Promise<boolean>;
const renewals = new WeakMap<LeaseStore, Map<number, Renew>>();

/**
 * One call for all leases of a process with the same heartbeat: one transaction per lease is the largest cost of an
 * idle process.
 */
function renewTogether(reads: LeaseStore, ttlMs: number): Renew {
  const byTtl = renewals.get(reads) ?? new Map<number, Renew>();
  renewals.set(reads, byTtl);
  const renew = byTtl.get(ttlMs) ?? together((fences: readonly Fence[]) => reads.renewLeases(fences, ttlMs));
  byTtl.set(ttlMs, renew);
  return renew;
}

// The rest of the time to live is reserved for the write itself.
const SURE_SHARE = 0.8;

/** True for a holder that was a process of this host and has ended. */
export function isDeadNeighbour(holder: string): boolean {
  const [host, pidText] = holder.split(':');
  const pid = Number(pidText);
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
