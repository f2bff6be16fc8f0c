import { setTimeout as pause } from 'node:timers/promises';
import { everyBeat } from '#kernel/commands/beat.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import { holdLease, type HeldLease } from './held-lease.js';
import { aheadLease, groupLease } from './group-lease.js';
import { leaderSession, type LeaderSession, type SessionOptions } from './leader-session.js';
import { viewKey, type ProjectionGroup } from './registry.js';
import { projectionsUnknownTo, announceViews, announcedViews } from './announced-views.js';
import { shareMember, type ShareMember, type ShareMemberOptions } from './share-member.js';
import { memberWatch } from './share-members.js';
import type { Decode } from './slice.js';

export type GroupLeaderOptions = Omit<SessionOptions, 'context' | 'sharing'> &
  Pick<ShareMemberOptions, 'holder' | 'onFailure'> & {
    readonly events: EventStore;
    readonly reads: ReadStore;
    readonly decode: Decode;
    /** How often a process without the lease requests it, and the holder checks for requests. */
    readonly lookEveryMs: number;
    /** Whether projecting is shared with the other workers of this version; how often these read the plan (ms). */
    readonly sharing: { readonly planEveryMs: number; readonly afterMs: number } | null;
  };

export type GroupLeader = ReturnType<typeof groupLeader>;

/**
 * A process's candidacy for leading a group: it takes the lease whenever it can, and leads until stopped. While a
 * process of an earlier version leads, it projects the views that the leader does not know ahead of it, so that the
 * new versions are live before the old process ends.
 */
export function groupLeader(options: GroupLeaderOptions) {
  const { group, reads, lookEveryMs } = options;
  const groupLeaseName = groupLease(group.name);
  const aheadLeaseName = aheadLease(group.name);
  const stopping = new AbortController();
  let current: LeaderSession | null = null;
  let ahead: { readonly session: LeaderSession; readonly names: ReadonlySet<string> } | null = null;
  let running: Promise<void> | null = null;

  const member = options.sharing === null ? null : memberOf(options, options.sharing.planEveryMs);
  const members = memberWatch(reads, group.name, group.projections);

  const takeLease = (name: string): Promise<HeldLease | null> =>
    holdLease(reads, name, options.holder, options.leaseTiming);

  const lead = (
    lease: HeldLease,
    led: ProjectionGroup,
    session: LeaderSession,
    goesOn: () => Promise<boolean>,
  ): Promise<void> => {
    lease.onLost(() => session.fail(new LeaseLost(led.name)));
    return leadTerm(session, lookEveryMs, stopping.signal, goesOn);
  };

  const sessionFor = (
    lease: HeldLease,
    led: ProjectionGroup,
    sharing: SessionOptions['sharing'],
  ): LeaderSession =>
    leaderSession({
      group: led,
      context: { events: options.events, reads, decode: options.decode, fence: lease.fence },
      pace: options.pace,
      cacheBounds: options.cacheBounds,
      leaseTiming: options.leaseTiming,
      aroundSlice: options.aroundSlice,
      sharing,
      onProgress: options.onProgress,
      onMisfit: options.onMisfit,
    });

  const leadGroup = async (lease: HeldLease): Promise<void> => {
    await announceViews(reads, groupLeaseName, lease.fence().epoch, group.projections);
    await aheadIsOver();
    if (stopping.signal.aborted) return;
    const session = sessionFor(lease, group, sharingOf(options, members));
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
      const session = sessionFor(lease, led, null);
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
          // The answer may come after `stop`, which has already stopped the member.
          if (stopping.signal.aborted) return;
          member?.start();
          await leadAhead();
        } else {
          try {
            await member?.stop();
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
    start: (): void => {
      running ??= candidate();
    },
    /** Finishes the slice, writes the checkpoints and releases the lease. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all([running, member?.stop()]);
    },
    /** The current term; null while this process does not lead. */
    session: (): LeaderSession | null => current,
    /**
     * Checks immediately, and waits until a ready rebuild of this projection is live or given up, if this process
     * projects it.
     */
    takeIn: async (projectionName: string): Promise<void> =>
      (current ?? ahead?.session)?.takeIn(projectionName),
    /** The term of this process that projects this view, as the leader of the group or ahead of it. */
    sessionOf: (projectionName: string): LeaderSession | null =>
      current ?? (ahead?.names.has(projectionName) === true ? ahead.session : null),
  };
}

const LOOK_AHEAD_MS = 100;

/** One term of a session; `goesOn` is called at every check, and false ends the term. */
async function leadTerm(
  session: LeaderSession,
  lookEveryMs: number,
  stopping: AbortSignal,
  goesOn: () => Promise<boolean>,
): Promise<void> {
  stopping.addEventListener('abort', session.stop, { once: true });
  if (stopping.aborted) session.stop();
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
    stopping.removeEventListener('abort', session.stop);
    await looking;
  }
}

/** This process as a worker that projects a share while another process leads. */
function memberOf(
  { events, reads, decode, ...options }: GroupLeaderOptions,
  lookEveryMs: number,
): ShareMember {
  return shareMember({ ...options, context: { events, reads, decode }, lookEveryMs });
}

/** With whom the leader of the group shares projecting. */
function sharingOf(
  { group, holder, sharing, onFailure }: GroupLeaderOptions,
  members: () => Promise<readonly string[]>,
): SessionOptions['sharing'] {
  if (sharing === null) return null;
  return {
    holder,
    members,
    afterMs: sharing.afterMs,
    onFailure: (error) => onFailure(group.name, error),
  };
}
