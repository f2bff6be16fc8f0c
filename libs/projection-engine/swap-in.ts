import { setTimeout as pause } from 'node:timers/promises';
import type { Projection } from '#kernel/projections/projection.js';
import { goLive } from './go-live.js';
import type { GroupLeaderOptions } from './group-leader.js';
import { groupLease } from './group-lease.js';
import { holdLease, type HeldLease } from './held-lease.js';
import { loadHalt } from './parked.js';
import type { Pace } from './project-batch.js';
import { openProjectedView } from './projected-view.js';
import { isEndOfTerm } from './term-ended.js';

/** `halted`: an event that belongs to no workspace cannot be folded; nothing was swapped. */
export type RebuildOutcome =
  | { readonly outcome: 'live'; readonly generation: number; readonly previous: number }
  | { readonly outcome: 'cancelled'; readonly generation: number }
  | { readonly outcome: 'halted'; readonly generation: number; readonly reason: string };

export type SwapOptions = Pick<
  GroupLeaderOptions,
  'events' | 'reads' | 'decode' | 'holder' | 'leaseTiming' | 'cacheBounds'
> & {
  readonly pollMs: number;
  /** Makes a leader in this process check the notes immediately, and waits until the found rebuilds are taken in. */
  readonly look: (projection: Projection) => Promise<void>;
  readonly groupName: string;
  /** The current attempt to swap generations: many callers may wait for it, one at a time tries. */
  readonly attempt: { underWay: Promise<void> | null };
};

/** A filled generation of a projection, and the work that requests its swap. */
type Swap = {
  readonly projection: Projection;
  readonly generation: number;
  readonly previous: number;
  /** The lease of the work: without it, another process may have replaced this generation since. */
  readonly lease: HeldLease;
  readonly pace: Pace;
  readonly cancel: AbortSignal;
};

/**
 * Replaces the live generation by a filled one that is noted as ready: waits until the group's leader has swapped, or
 * swaps if there is no leader. If the term of either ends first, the next leader does it. Throws `LeaseLost` if the lease of
 * the work is lost before.
 */
export async function swapIn(options: SwapOptions, swap: Swap): Promise<RebuildOutcome> {
  const { projection, generation, previous, lease, pace, cancel } = swap;
  const { reads, attempt } = options;
  for (;;) {
    const { live, all } = await reads.generations(projection);
    if (live === generation) return { outcome: 'live', generation, previous };
    // It was filled from a log that was reset since: the leader has removed it.
    if (!all.includes(generation)) return { outcome: 'cancelled', generation };
    const halt = await loadHalt(reads, { view: projection, generation });
    if (halt !== null) return { outcome: 'halted', generation, reason: halt.reason };
    if (cancel.aborted) return { outcome: 'cancelled', generation };
    lease.fence();
    if (attempt.underWay !== null) {
      // the caller of the attempt gets the error
      await attempt.underWay.catch(() => undefined);
      continue;
    }
    attempt.underWay = trySwap(options, projection, generation, pace);
    try {
      await attempt.underWay;
    } catch (error) {
      if (!isEndOfTerm(error)) throw error;
      await pause(options.pollMs);
    } finally {
      attempt.underWay = null;
    }
  }
}

/** Swaps if there is no leader; otherwise waits a moment for the leader. */
async function trySwap(
  options: SwapOptions,
  projection: Projection,
  generation: number,
  pace: Pace,
): Promise<void> {
  const { reads, groupName, holder, leaseTiming } = options;
  const lease = await holdLease(reads, groupLease(groupName), holder, leaseTiming);
  if (lease === null) {
    await options.look(projection);
    const { live } = await reads.generations(projection);
    if (live !== generation) await pause(options.pollMs);
    return;
  }
  try {
    await swapAlone(options, projection, generation, lease, pace);
  } finally {
    await lease.release();
  }
}

async function swapAlone(
  { events, reads, decode, cacheBounds }: SwapOptions,
  projection: Projection,
  generation: number,
  lease: HeldLease,
  pace: Pace,
): Promise<void> {
  const context = { events, reads, decode, fence: lease.fence };
  const { live } = await reads.generations(projection);
  if (live === generation) return;
  const current = live === null ? null : await openProjectedView(reads, projection, live, cacheBounds);
  const building = await openProjectedView(reads, projection, generation, cacheBounds);
  await goLive(context, current, building, pace);
}
