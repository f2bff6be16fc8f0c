import { setTimeout as pause } from 'node:timers/promises';
import { firstAbort } from '#kernel/commands/first-abort.js';
import { announceViews } from './announced-views.js';
import { groupLease } from './group-lease.js';
import { holdLease, type HeldLease, type LeaseTiming } from './held-lease.js';
import { memberPlaces } from './share-members.js';
import { sharePlan, type PlannedShare, type SharePlan } from './share-plan.js';
import { shareSession, type ShareSessionOptions } from './share-session.js';
import type { ProjectionGroup } from './registry.js';

export type ShareMemberOptions = Pick<
  ShareSessionOptions,
  'context' | 'pace' | 'cacheBounds' | 'aroundSlice'
> & {
  readonly group: ProjectionGroup;
  readonly holder: string;
  readonly leaseTiming: LeaseTiming;
  /** How often the plan is read (ms). */
  readonly lookEveryMs: number;
  readonly onFailure: (groupName: string, error: unknown) => void;
};

export type ShareMember = ReturnType<typeof shareMember>;

/** A worker that does not lead offers to project a share, and projects the one that the leader's plan gives it. */
export function shareMember(options: ShareMemberOptions) {
  const { context, group, holder, leaseTiming, lookEveryMs, onFailure } = options;
  const { reads } = context;
  let ending = new AbortController();
  let running: Promise<void> | null = null;
  let place: HeldLease | null = null;

  const wait = (signal = ending.signal): Promise<void> =>
    pause(lookEveryMs, undefined, { signal }).catch(() => undefined);

  const leavePlace = async (): Promise<void> => {
    const left = place;
    place = null;
    await left?.release();
  };

  const takePlace = async (): Promise<void> => {
    for (const { name, holder: other } of await memberPlaces(reads, group.name)) {
      if (other !== null) continue;
      const lease = await holdLease(reads, name, holder, leaseTiming);
      if (lease === null) continue;
      place = lease;
      lease.onLost(() => (place = null));
      try {
        await announceViews(reads, name, lease.fence().epoch, group.projections);
      } catch (error) {
        // Without its views the leader does not count this worker: the next look takes a place again.
        await leavePlace();
        throw error;
      }
      return;
    }
  };

  /** Whether the plan counts: it is not ended, and no later leader has come. */
  const isCurrent = async (plan: SharePlan | null): Promise<boolean> => {
    if (plan === null || plan.isEnded) return false;
    const lease = await reads.lease(groupLease(group.name));
    return lease === null || lease.epoch === plan.epoch;
  };

  /** Whether the plan still counts, and no other one has replaced it. */
  const goesOn = async ({ id }: SharePlan): Promise<boolean> => {
    const now = await sharePlan(reads, group.name);
    return now?.id === id && (await isCurrent(now));
  };

  const work = async (plan: SharePlan, share: PlannedShare): Promise<void> => {
    const lease = await holdLease(reads, share.name, holder, leaseTiming);
    if (lease === null) return;
    try {
      // Another plan has other partitions and generations under the same name. No plan is merged while this lease is held.
      if (await goesOn(plan)) await project(plan, share.name, lease);
    } finally {
      await lease.release();
    }
  };

  /** Until the plan is over or the worker stops. */
  const project = async (plan: SharePlan, name: string, lease: HeldLease): Promise<void> => {
    const projections = group.projections;
    const session = shareSession({ ...options, projections, plan, name, lease, onProgress: () => undefined });
    const worked = new AbortController();
    // The worker may have been stopped while the lease was taken.
    const { signal: over, end } = firstAbort(worked.signal, ending.signal);
    const watchPlan = async (): Promise<void> => {
      while (!over.aborted) {
        await wait(over);
        if (over.aborted) break;
        if (!(await goesOn(plan))) break;
      }
      session.stop();
    };
    const watching = watchPlan().catch((error: unknown) => session.fail(error));
    try {
      await session.run();
    } finally {
      worked.abort();
      end();
      await watching;
    }
  };

  const look = async (): Promise<void> => {
    if (place === null) await takePlace();
    const plan = await sharePlan(reads, group.name);
    const share = plan?.shares.find((one) => one.holder === holder);
    if (plan !== null && share !== undefined && (await isCurrent(plan))) await work(plan, share);
  };

  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await look();
      } catch (error) {
        onFailure(group.name, error);
      }
      await wait();
    }
    await leavePlace();
  };

  return {
    start: (): void => {
      if (running !== null) return;
      ending = new AbortController();
      running = run();
    },
    /** Releases the share and the place. May be started again. */
    stop: async (): Promise<void> => {
      ending.abort();
      // An unavailable store: the lease expires.
      await running?.catch(() => undefined);
      running = null;
    },
  };
}
