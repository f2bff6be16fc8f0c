import { setTimeout as pause } from 'node:timers/promises';
import { START, type Position } from '#kernel/ports/event-store.port.js';
import { holdLease, livingHolder, type HeldLease } from './held-lease.js';
import type { Inbox } from './inbox.js';
import type { LoadMeter } from './load-meter.js';
import type { AroundSlice } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { beginPlan } from './share-begin.js';
import { mergeShares, recallShares, sharesOf, STALLED_LEASES, type MergeOptions } from './share-merge.js';
import type { PlannedShare, SharePlan } from './share-plan.js';
import { sharePublisher, type SharePublisher } from './share-publish.js';
import { ShareHalted, shareSession, type ShareSession } from './share-session.js';
import { shareWatch } from './share-watch.js';
import { shareWorkers } from './share-workers.js';

export type ShareLeadOptions = MergeOptions & {
  readonly box: Inbox;
  /** The name of this process, which has the first share. */
  readonly holder: string;
  readonly aroundSlice: AroundSlice | undefined;
  /** What this session reads; restarted when it begins to be behind and when a plan begins. */
  readonly load: LoadMeter;
  /** For how long this process is behind the log before it shares projecting; 0: whenever there are other workers (ms). */
  readonly afterMs: number;
  /** The other workers that can project a share. */
  readonly members: () => Promise<readonly string[]>;
  readonly onProgress: () => void;
  /** Called when a worker does not project its share. */
  readonly onFailure: (error: unknown) => void;
  /** Aborted when the session stops: a recall or a merge is left to the next leader. */
  readonly stopping: AbortSignal;
};

/** Sharing ends if the log grows with less than half of the rate with which it began, over a minute. */
const LIGHT_LOAD_MS = 60_000;
const LIGHT_LOAD_SHARE = 1 / 2;

/** A worker that does not project its share gets no other one for so many lifetimes of a lease. */
const LEFT_OUT_LEASES = 60;

/** A share that nobody has taken after so many lifetimes of a lease is abandoned. */
const BEGIN_LEASES = 2;

/** How often the checkpoints of the shares are read while one of them is behind. */
const FIRST_POLL_MS = 4;
const LONGEST_POLL_MS = 25;
const POLL_GROWTH = 1.5;

/** A plan in force, with what its leader knows of it. */
type Term = {
  readonly plan: SharePlan;
  readonly publish: SharePublisher;
  /** The share of this process. */
  readonly own: ShareSession;
  /** Shares that had no holder at the last look. */
  abandoned: ReadonlySet<string>;
  isOver: boolean;
  readonly startedAt: number;
  /** The next call of `publish` is for all views. */
  isForAll: boolean;
  /** The events per second with which the leader did not keep up. */
  readonly rate: number;
};

/** A worker does not project the share that it was given, and holds back the others. */
class ShareIdle extends Error {
  constructor(share: string, worker: string, leftOutMs: number) {
    super(
      `the worker ${worker} does not project ${share}: others project its workspaces, ` +
        `and it gets no share for ${leftOutMs / 1_000} s`,
    );
    this.name = 'ShareIdle';
  }
}

export type ShareLead = ReturnType<typeof shareLead>;

/** A leader that shares projecting with the other workers of its version. */
export function shareLead(options: ShareLeadOptions) {
  const { context, group, box, holder, leaseTiming, load, afterMs, onFailure, stopping } = options;
  const { reads } = context;
  const stallMs = STALLED_LEASES * leaseTiming.ttlMs;
  const leftOutMs = LEFT_OUT_LEASES * leaseTiming.ttlMs;
  const watch = shareWatch(stallMs);
  const workers = shareWorkers(options.members, leftOutMs);
  /** False after an attempt without a plan, until the next look. */
  let isPossible = true;
  let term: Term | null = null;
  let isShared = false;
  /** The shares of the current plan whose leases are taken from their workers. */
  let stalled: ReadonlySet<string> = new Set();

  /** Ends the plan: the workers of these shares would hold back the checkpoints of all. */
  const endWithout = (current: Term, shares: readonly PlannedShare[]): void => {
    current.isOver = true;
    for (const { name, holder: worker } of shares) {
      workers.leaveOut(worker);
      onFailure(new ShareIdle(name, worker, leftOutMs));
    }
  };

  /** A worker may hold its share, and renew the lease, although it cannot read the log or write documents. */
  const lookAtProgress = async (current: Term): Promise<void> => {
    const { plan, own } = current;
    const reached = own.checkpoint()?.position ?? START;
    const found = watch.stalled(plan.shares.slice(1), await sharesOf(reads, plan), reached);
    if (found.length === 0) return;
    stalled = new Set(found.map(({ name }) => name));
    endWithout(current, found);
  };

  const lookAtShares = async (current: Term): Promise<void> => {
    const { plan } = current;
    const [leases] = await Promise.all([
      Promise.all(plan.shares.map(({ name }) => reads.lease(name))),
      lookAtProgress(current),
    ]);
    // Workers that are busy take their shares late.
    const isBegun = performance.now() - current.startedAt > BEGIN_LEASES * leaseTiming.ttlMs;
    const free = plan.shares.filter((_, place) => isBegun && livingHolder(leases[place] ?? null) === null);
    const abandoned = new Set(free.map(({ name }) => name));
    const planned = plan.shares.slice(1).map((share) => share.holder);
    const isLight = load.measuredMs() >= LIGHT_LOAD_MS && load.rate() < current.rate * LIGHT_LOAD_SHARE;
    if (load.measuredMs() >= LIGHT_LOAD_MS) load.restart();
    const left = free.filter(({ name }) => current.abandoned.has(name));
    // Also the share of a worker that takes it again and again.
    const idle = left.filter(({ holder: worker }) => workers.isThere(worker));
    if (idle.length > 0) endWithout(current, idle);
    if (isLight || left.length > 0 || planned.join() !== workers.able().join()) current.isOver = true;
    current.abandoned = abandoned;
    current.isForAll = true;
    box.wake();
  };

  /** Returns the end of the slice in which the own share was halted; `START` if it was not. */
  const work = async (
    plan: SharePlan,
    views: readonly ProjectedView[],
    lease: HeldLease,
    name: string,
  ): Promise<Position> => {
    let haltedUpTo = START;
    const own = shareSession({
      ...options,
      projections: group.projections,
      plan,
      name,
      lease,
      onProgress: box.wake,
      onBatch: load.note,
    });
    // Without a limit there is no load that is too light.
    const rate = afterMs === 0 ? 0 : load.rate();
    load.restart();
    watch.restart();
    stalled = new Set();
    const current: Term = {
      plan,
      publish: sharePublisher({ context, plan, views, own }),
      own,
      abandoned: new Set(),
      isOver: false,
      startedAt: performance.now(),
      isForAll: false,
      rate,
    };
    term = current;
    // A process that does not lead any more may hold a share of the next leader's plan.
    const led = Promise.resolve().then(context.fence);
    const running = led.then(own.run).catch((error: unknown) => {
      current.isOver = true;
      if (error instanceof ShareHalted) {
        haltedUpTo = error.upTo;
        box.wake();
      } else box.fail(error);
    });
    try {
      await followShares(options, current);
    } finally {
      term = null;
      own.stop();
      await running;
      await lease.release();
    }
    return haltedUpTo;
  };

  const projectPlan = async (views: readonly ProjectedView[]): Promise<'shared' | 'no plan'> => {
    const plan = await beginPlan(options, views, [holder, ...workers.able()]);
    const [first] = plan?.shares ?? [];
    if (plan === null || first === undefined) {
      isPossible = false;
      return 'no plan';
    }
    const lease = await holdLease(reads, first.name, holder, leaseTiming);
    const haltedUpTo = lease === null ? START : await work(plan, views, lease, first.name);
    box.requireSound();
    // The other workers go on; the next leader merges.
    if (stopping.aborted) return 'shared';
    const recalled = await recallShares(options, plan, stopping, stalled);
    if (recalled !== null) await mergeShares(options, recalled, stopping, haltedUpTo);
    return 'shared';
  };

  return {
    /** Looks which workers there are, and whether those of the current plan still work. Call it every second. */
    look: async (): Promise<void> => {
      isPossible = true;
      await workers.look();
      if (term !== null) await lookAtShares(term);
    },
    /** Whether there are other workers and this process does not keep up with the log. */
    isWanted: (): boolean => isPossible && workers.able().length > 0 && load.behindMs() >= afterMs,
    /** Whether a plan is begun, in force or merged. */
    isShared: (): boolean => isShared,
    /**
     * Shares the projecting of these views until the workers change, a task waits for the loop, or the session stops. Then
     * the shares are merged: the stored checkpoints are those of the views, and the views are to be opened again. Without a
     * plan they stay as they are.
     */
    project: async (views: readonly ProjectedView[]): Promise<'shared' | 'no plan'> => {
      isShared = true;
      try {
        return await projectPlan(views);
      } finally {
        isShared = false;
      }
    },
  };
}

/** Until the term is over. The own share wakes the loop; the others are asked while one of them is behind. */
async function followShares(
  { box, stopping, onProgress }: Pick<ShareLeadOptions, 'box' | 'stopping' | 'onProgress'>,
  current: Term,
): Promise<void> {
  const isOver = (): boolean => current.isOver || box.isWaitedFor() || stopping.aborted;
  let waitMs = FIRST_POLL_MS;
  while (!isOver()) {
    const all = current.isForAll;
    current.isForAll = false;
    const isLevel = await current.publish(all);
    onProgress();
    if (isLevel) {
      waitMs = FIRST_POLL_MS;
      if (!isOver()) await box.arrival();
    } else {
      await Promise.race([box.arrival(), pause(waitMs)]);
      waitMs = Math.min(LONGEST_POLL_MS, waitMs * POLL_GROWTH);
    }
  }
}
