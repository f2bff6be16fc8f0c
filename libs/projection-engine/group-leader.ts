import { setTimeout as pause } from 'node:timers/promises';
import { everyBeat } from '#kernel/commands/beat.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import { holdLease, type HeldLease, type LeaseTiming } from './held-lease.js';
import { leaderSession, type LeaderSession } from './leader-session.js';
import type { AroundSlice, Pace } from './project-batch.js';
import { viewKey, type ProjectionGroup } from './registry.js';
import { projectionsUnknownTo, announceViews, announcedViews } from './announced-views.js';
import type { Decode } from './slice.js';

export type GroupLeaderOptions = {
  readonly group: ProjectionGroup;
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly decode: Decode;
  readonly holder: string;
  readonly leaseTiming: LeaseTiming;
  /** How often a process without the lease requests it, and the holder checks for requests. */
  readonly lookEveryMs: number;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
  readonly aroundSlice: AroundSlice | undefined;
  readonly onProgress: () => void;
  readonly onMisfit: () => Promise<void>;
  readonly onFailure: (groupName: string, error: unknown) => void;
};

/**
 * A process's candidacy for leading a group: it takes the lease whenever it can, and leads until stopped. While a
 * process of an earlier version leads, it projects the views that the leader does not know ahead of it, so that the
 * new versions are live before the old process ends.
 */
export type GroupLeader = {
  readonly start: () => void;
  /** Finishes the slice, writes the checkpoints and releases the lease. */
  readonly stop: () => Promise<void>;
  /** The current term; null while this process does not lead. */
  readonly session: () => LeaderSession | null;
  /**
   * Checks immediately, and waits until a ready rebuild of this projection is live or given up, if this process
   * projects it.
   */
  readonly takeIn: (projectionName: string) => Promise<void>;
  /** The term of this process that projects this view, as the leader of the group or ahead of it. */
  readonly sessionOf: (projectionName: string) => LeaderSession | null;
};

/** The lease of a group. */
export function groupLease(groupName: string): string {
  return `projections:${groupName}`;
}

/** The lease for views that are projected ahead of a group's leader. */
export function aheadLease(groupName: string): string {
  return `projections:${groupName}:ahead`;
}

export function groupLeader(options: GroupLeaderOptions): GroupLeader {
  const { group, reads, lookEveryMs } = options;
  const groupLeaseName = groupLease(group.name);
  const aheadLeaseName = aheadLease(group.name);
  const stopping = new AbortController();
  let current: LeaderSession | null = null;
  let ahead: { readonly session: LeaderSession; readonly names: ReadonlySet<string> } | null = null;
  let running: Promise<void> | null = null;

  const takeLease = (name: string): Promise<HeldLease | null> =>
    holdLease(reads, name, options.holder, options.leaseTiming);

  /** One term; `goesOn` is called at every check, and false ends the term. */
  const lead = async (
    lease: HeldLease,
    led: ProjectionGroup,
    session: LeaderSession,
    goesOn: () => Promise<boolean>,
  ): Promise<void> => {
    lease.onLost(() => session.fail(new LeaseLost(led.name)));
    stopping.signal.addEventListener('abort', session.stop, { once: true });
    if (stopping.signal.aborted) session.stop();
    let looking: Promise<void> = Promise.resolve();
    const look = async (): Promise<void> => {
      if (await goesOn()) await session.look();
      else session.stop();
    };
    const stopLooking = everyBeat(lookEveryMs, () => {
      looking = look().catch((error: unknown) => session.fail(error));
    });
    try {
      await session.run();
    } finally {
      stopLooking();
      stopping.signal.removeEventListener('abort', session.stop);
      await looking;
    }
  };

  const sessionFor = (lease: HeldLease, led: ProjectionGroup): LeaderSession =>
    leaderSession({
      group: led,
      context: { events: options.events, reads, decode: options.decode, fence: lease.fence },
      pace: options.pace,
      cacheBounds: options.cacheBounds,
      aroundSlice: options.aroundSlice,
      onProgress: options.onProgress,
      onMisfit: options.onMisfit,
    });

  const leadGroup = async (lease: HeldLease): Promise<void> => {
    await announceViews(reads, groupLeaseName, lease.fence().epoch, group.projections);
    await aheadIsOver();
    if (stopping.signal.aborted) return;
    const session = sessionFor(lease, group);
    try {
      current = session;
      await lead(lease, group, session, async () => true);
    } finally {
      current = null;
    }
  };

  /**
   * A process that projects some of our views ahead sees our announcement and stops; its fence is invalid as soon as
   * its lease is taken.
   */
  const aheadIsOver = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const lease = await takeLease(aheadLeaseName);
      if (lease !== null) {
        await lease.release();
        return;
      }
      const others = await announcedViews(reads, aheadLeaseName);
      if (others !== null && !group.projections.some((projection) => others.has(viewKey(projection)))) return;
      await pause(Math.min(lookEveryMs, LOOK_AHEAD_MS));
    }
  };

  /** The views that the group's leader does not know, until it knows them or is gone. */
  const leadAhead = async (): Promise<void> => {
    const unknown = (): Promise<readonly Projection[]> =>
      projectionsUnknownTo(reads, groupLeaseName, group.projections);
    if ((await unknown()).length === 0) return;
    const lease = await takeLease(aheadLeaseName);
    if (lease === null) return;
    try {
      const projections = await unknown();
      await announceViews(reads, aheadLeaseName, lease.fence().epoch, projections);
      // A new leader announces its views and then checks who projects ahead; here the order is reversed.
      const isStill = async (): Promise<boolean> => (await unknown()).length === projections.length;
      // The store is asked, because leases may end by another clock than this machine's.
      const isLed = async (): Promise<boolean> => {
        const main = await takeLease(groupLeaseName);
        await main?.release();
        return main === null;
      };
      if (projections.length === 0 || !(await isStill())) return;
      const led = { name: `${group.name}:ahead`, projections };
      const session = sessionFor(lease, led);
      ahead = { session, names: new Set(projections.map(({ name }) => name)) };
      await lead(lease, led, session, async () => (await isLed()) && (await isStill()));
    } finally {
      ahead = null;
      await lease.release();
    }
  };

  const candidate = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const lease = await takeLease(groupLeaseName);
        if (lease === null) {
          await leadAhead();
        } else {
          try {
            await leadGroup(lease);
          } finally {
            await lease.release();
          }
        }
      } catch (error) {
        options.onFailure(group.name, error);
      }
      await pause(lookEveryMs, null, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    start: () => {
      running ??= candidate();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
    session: () => current,
    takeIn: async (projectionName) => (current ?? ahead?.session)?.takeIn(projectionName),
    sessionOf: (projectionName) =>
      current ?? (ahead?.names.has(projectionName) === true ? ahead.session : null),
  };
}

const LOOK_AHEAD_MS = 100;
