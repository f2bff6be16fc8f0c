import { setTimeout as pause } from 'node:timers/promises';
import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { Checkpoint, EventCounts, KeptShare, ReadStore } from '#kernel/ports/read-store.port.js';
import { catchUpTo } from './catch-up-to.js';
import type { CacheBounds } from './document-cache.js';
import { holdLease, isDeadNeighbour, processHolder, type HeldLease, type LeaseTiming } from './held-lease.js';
import { generationKey } from './parked.js';
import type { Pace, ProjectorContext } from './project-batch.js';
import { openProjectedView, type ProjectedView } from './projected-view.js';
import type { ProjectionGroup } from './registry.js';
import {
  addedCounts,
  deleteSharePlan,
  plannedGenerations,
  putSharePlan,
  shareOfEvent,
  type SharePlan,
} from './share-plan.js';

export type MergeOptions = {
  readonly context: ProjectorContext;
  readonly group: ProjectionGroup;
  readonly leaseTiming: LeaseTiming;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
};

/** The leases of all shares of a plan: nobody writes to a share while they are held. */
export type RecalledShares = { readonly plan: SharePlan; readonly leases: readonly HeldLease[] };

const RECALL_LOOK_MS = 20;

/** A share or its worker that has done nothing for so many lifetimes of a lease is stalled: its lease is taken. */
export const STALLED_LEASES = 3;

/**
 * Ends a plan and waits until every worker has released its share; the share of a dead worker is taken when its lease
 * expires, and that of a worker that does not release it after `STALLED_LEASES`. The lease of a share in `stalled` is taken
 * at once. Null if the signal aborts first.
 */
export async function recallShares(
  { context, group, leaseTiming }: MergeOptions,
  plan: SharePlan,
  signal: AbortSignal,
  stalled: ReadonlySet<string> = new Set(),
): Promise<RecalledShares | null> {
  const { reads } = context;
  context.fence();
  await putSharePlan(reads, group.name, { ...plan, isEnded: true });
  const holder = processHolder();
  const endedAt = performance.now();
  const isLate = (): boolean => performance.now() - endedAt > STALLED_LEASES * leaseTiming.ttlMs;
  const leases: HeldLease[] = [];
  try {
    for (const { name } of plan.shares) {
      for (;;) {
        if (signal.aborted) {
          await releaseAll(leases);
          return null;
        }
        const isOver = stalled.has(name) || isLate() ? () => true : isDeadNeighbour;
        const lease = await holdLease(reads, name, holder, leaseTiming, isOver);
        if (lease !== null) {
          leases.push(lease);
          break;
        }
        context.fence();
        await pause(RECALL_LOOK_MS);
      }
    }
  } catch (error) {
    await releaseAll(leases);
    throw error;
  }
  return { plan, leases };
}

/** A lease that cannot be released now expires: it is not renewed any more. */
export const releaseAll = async (leases: readonly HeldLease[]): Promise<void> => {
  await Promise.allSettled(leases.map((lease) => lease.release()));
};

/**
 * Brings all shares to one position, at least to `upTo`, and writes it as the checkpoint of every generation of the plan.
 * Each step can be repeated: the shares and the plan are removed last, and counts always start from those of the plan and
 * the shares.
 */
export async function mergeShares(
  options: MergeOptions,
  { plan, leases }: RecalledShares,
  signal: AbortSignal,
  upTo: Position = START,
): Promise<void> {
  try {
    if (await merge(options, plan, signal, upTo)) await forget(options, plan);
  } finally {
    await releaseAll(leases);
  }
}

/** Returns whether the merge was not interrupted by the signal. */
async function merge(
  options: MergeOptions,
  plan: SharePlan,
  signal: AbortSignal,
  upTo: Position,
): Promise<boolean> {
  const { context, pace } = options;
  const { reads } = context;
  const shares = await sharesOf(reads, plan);
  const views = await openPlanned(options, plan, shares);
  if (views.length > 0) {
    const shareOf = shareOfEvent(plan);
    const takes: ProjectorContext['takes'] = (projection, event) =>
      event.position > (shares[shareOf(projection, event)]?.position ?? '');
    const furthest = furthestOf(shares);
    const end = furthest !== null && furthest.position > upTo ? furthest.position : upTo;
    await catchUpTo(end, { ...context, takes }, views, pace, signal);
    if (signal.aborted) return false;
    // Their counts contain all events of the shares, so every checkpoint is at least at the furthest of them.
    await reads.write(
      views.map((view) => ({
        generation: view.generation,
        documents: [],
        checkpoint: view.halt === null ? atLeast(view.checkpoint, furthest) : view.checkpoint,
      })),
      context.fence(),
    );
  }
  return true;
}

/** Forgets the shares of a plan, after their merge or because of a log mismatch. */
export async function removeShares(
  options: Pick<MergeOptions, 'context' | 'group'>,
  { plan, leases }: RecalledShares,
): Promise<void> {
  try {
    await forget(options, plan);
  } finally {
    await releaseAll(leases);
  }
}

async function forget(
  { context: { reads, fence }, group }: Pick<MergeOptions, 'context' | 'group'>,
  plan: SharePlan,
): Promise<void> {
  fence();
  await deleteSharePlan(reads, group.name);
  for (const { name } of plan.shares) await reads.deleteShare(name);
}

/** The checkpoints of a plan's shares, in its order. */
export async function sharesOf(reads: ReadStore, plan: SharePlan): Promise<readonly KeptShare[]> {
  const byName = new Map((await reads.shares()).map((share) => [share.name, share]));
  return plan.shares.flatMap(({ name }) => byName.get(name) ?? []);
}

/** The live generations of the plan where the slowest share stands. None if a kill left the plan without its shares. */
async function openPlanned(
  { context, group, cacheBounds }: MergeOptions,
  plan: SharePlan,
  shares: readonly KeptShare[],
): Promise<readonly ProjectedView[]> {
  const slowest = slowestOf(shares);
  if (slowest === null || shares.length < plan.shares.length) return [];
  const { reads } = context;
  const views: ProjectedView[] = [];
  for (const { view: projection, generation, before } of plannedGenerations(plan, group.projections)) {
    if ((await reads.generations(projection)).live !== generation) continue;
    const view = await openProjectedView(reads, projection, generation, cacheBounds);
    // A killed merge may have moved the stored checkpoint: it is counted again from the slowest share.
    view.checkpoint = {
      ...placeOfShare(slowest),
      ...mergedCounts(before, shares, generationKey(view.generation)),
    };
    view.position = slowest.position;
    views.push(view);
  }
  return views;
}

function atLeast(checkpoint: Checkpoint, share: KeptShare | null): Checkpoint {
  if (share?.event === undefined || share.position <= checkpoint.position) return checkpoint;
  return { ...checkpoint, position: share.position, event: share.event };
}

/** The position of a share, as that of a checkpoint of a view. */
export const placeOfShare = ({
  position,
  event,
}: Pick<KeptShare, 'position' | 'event'>): Pick<Checkpoint, 'position' | 'event'> =>
  event === undefined ? { position } : { position, event };

/** The share with the latest position. Null if there is none. */
export function furthestOf<Share extends Pick<KeptShare, 'position' | 'event'>>(
  shares: readonly Share[],
): Share | null {
  let furthest: Share | null = null;
  for (const share of shares) if (furthest === null || share.position > furthest.position) furthest = share;
  return furthest;
}

/** The share with the earliest position: every event up to there is folded. Null if there is none. */
export function slowestOf<Share extends Pick<KeptShare, 'position'>>(shares: readonly Share[]): Share | null {
  let slowest: Share | null = null;
  for (const share of shares) if (slowest === null || share.position < slowest.position) slowest = share;
  return slowest;
}

/** The counts of a generation: those before the plan and those of the shares, by the key of the generation. */
export function mergedCounts(
  before: EventCounts | undefined,
  shares: readonly Pick<KeptShare, 'counts'>[],
  generation: string,
): EventCounts {
  return addedCounts(before, ...shares.map(({ counts }) => counts[generation]));
}
