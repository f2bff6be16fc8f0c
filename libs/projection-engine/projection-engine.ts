import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#kernel/ports/clock.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import type { FillElsewhere } from './fill-elsewhere.js';
import { fitWatch } from './fit-watch.js';
import { groupLeader, type GroupLeader } from './group-leader.js';
import { LEASE_TIMING, processHolder, type LeaseTiming } from './held-lease.js';
import type { LeaderSession } from './leader-session.js';
import type { RetryOutcome } from './retry-request.js';
import { liveProgress } from './live-progress.js';
import { parkedEventsOf, type ParkedEvents } from './parked.js';
import type { AroundSlice, Pace } from './project-batch.js';
import { projectionFigures, type ProjectionFigures } from './projection-figures.js';
import { projectionStatus, sharedReads, type ProjectionStatus } from './projection-status.js';
import { projectionsReadiness, type Readiness } from './readiness.js';
import type { RebuildOptions } from './rebuild-work.js';
import { rebuilder } from './rebuild.js';
import type { ProjectionRegistry } from './registry.js';
import { requestRetry, takeRetryAnswer } from './retry-request.js';
import type { Decode } from './slice.js';
import type { RebuildOutcome } from './swap-in.js';
import type { Verification } from './verify.js';
import { viewStanding, type ViewStanding } from './view-standing.js';
import { viewWatch, type ViewWatch } from './view-watch.js';

export type ProjectionEngineOptions = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly registry: ProjectionRegistry;
  readonly decode: Decode;
  /** Product time: events' ages are measured against it. Leases run on real time. */
  readonly clock: Clock;
  /** Told when a term of leadership ended by an error (`LeaseLost`, `StoreUnavailable`, …); it is tried again. */
  readonly onFailure?: (groupName: string, error: unknown) => void;
  readonly holder?: string;
  readonly leaseTiming?: LeaseTiming;
  /** How often the lease is asked for, and requests of other processes are looked for (default 1 s). */
  readonly lookEveryMs?: number;
  /** How often persisted checkpoints are read while somebody waits for another process's leader (50 ms). */
  readonly pollMs?: number;
  /** How often the checkpoints of watched views are read while another process projects them (250 ms). */
  readonly watchPollMs?: number;
  readonly pace?: Pace;
  /** Bounds of the documents kept in memory, for each projection. */
  readonly cacheBounds?: CacheBounds;
  /**
   * Removes what else was learned from events that are gone, before views that do not fit the log are built anew.
   * May be called again after a crash.
   */
  readonly onMisfit?: () => Promise<void>;
  /** Follows the slices of what is appended. */
  readonly aroundSlice?: AroundSlice | undefined;
  /** Where rebuilds beside a service that goes on are done; absent: on this loop. */
  readonly elsewhere?: FillElsewhere | undefined;
  /** Told, in every process, that the log was set back: what is remembered of it counts for nothing. */
  readonly onSetBack?: () => void;
};

/** Runs all projections, or watches another process do it. One an application process. */
export type ProjectionEngine = ReadModelProgress & {
  /**
   * Looks whether the views were filled from the log that is there, and takes those out of service that were not:
   * to be awaited before anything is served. Rejects when a store is away.
   */
  readonly requireFit: () => Promise<void>;
  /** Throws `StoreUnavailable` for a view that does not fit and that another process goes on serving. */
  readonly requireServed: (view: ViewShape) => Promise<void>;
  /** Projects whenever this process holds the lease. Without it, queries, waits and status still work. */
  readonly start: () => void;
  /** Finishes the slice under way, writes checkpoints, gives leases back. */
  readonly stop: () => Promise<void>;
  /** Calls back whenever one of these views has moved, whoever projects it; the function it gives ends that. */
  readonly watch: ViewWatch['watch'];
  /** True where queries of this view must answer 503 for the workspace. */
  readonly isParked: (viewName: string, workspaceId: number) => Promise<boolean>;
  /**
   * How far a view can be relied on for a workspace, from the read store itself: what it says was true when
   * it was asked, whoever leads. Null while the view has no live generation. Look up only afterwards.
   */
  readonly standing: (viewName: string, workspaceId: number) => Promise<ViewStanding | null>;
  /** The names of all projections. */
  readonly names: readonly string[];
  /** How the projections of these names stand; all of them, where none are named. */
  readonly status: (names?: readonly string[]) => Promise<readonly ProjectionStatus[]>;
  readonly readiness: () => Promise<Readiness>;
  /** How every projection stands, in numbers: for who measures. */
  readonly figures: () => Promise<readonly ProjectionFigures[]>;
  /** True when every projection had a live generation when it was last looked for: cheap enough to wait with. */
  readonly hasCaughtUp: () => Promise<boolean>;
  /** Folds parked events in order and restarts a halted projection, here or through the process that leads. */
  readonly retry: (projectionName: string, workspaceId?: number) => Promise<RetryOutcome>;
  /** Builds a new generation beside the live one, going on where an earlier run stopped, and swaps. */
  readonly rebuild: (projectionName: string, options?: RebuildOptions) => Promise<RebuildOutcome>;
  /** `rebuild` for so many, for which history is read once when all of them were called. Where one is asked to stop, all do. */
  readonly rebuildTogether: (
    count: number,
  ) => (projectionName: string, options: RebuildOptions) => Promise<RebuildOutcome>;
  /** Brings the generation that was live before up to date and swaps back. */
  readonly rollback: (projectionName: string, options?: RebuildOptions) => Promise<RebuildOutcome>;
  /** Asks the rebuild or verification under way, in whichever process, to stop; what is built stays. */
  readonly cancel: (projectionName: string) => Promise<void>;
  /** Workspaces whose events are set aside in the live generation, with how many and why. */
  readonly parked: (projectionName: string) => Promise<readonly ParkedEvents[]>;
  /** Removes what a cancelled rebuild has built. */
  readonly abandon: (projectionName: string) => Promise<void>;
  /**
   * Replays a projection into a shadow and compares every document with the live one, which goes on
   * meanwhile. Names the first that differs and the event from which on it does. The shadow is removed.
   */
  readonly verify: (projectionName: string, options?: RebuildOptions) => Promise<Verification>;
  /** True while this process projects. */
  readonly isLeading: () => boolean;
};

const LOOK_EVERY_MS = 1_000;
const POLL_MS = 50;
const WATCH_POLL_MS = 250;
// Whatever runs on the request loop is bounded in time.
const PACE: Pace = { sliceMs: 10, maxSliceEvents: 500 };
/** Where nobody else needs the loop: an operator's process that does one thing. Leases are still renewed in between. */
export const OPERATOR_PACE: Pace = { sliceMs: 250, maxSliceEvents: 5_000, isAlone: true };
// Nobody waits for it, and those who do wait for a slice wait for this one too.
const REBUILD_PACE: Pace = { sliceMs: 5, maxSliceEvents: 500 };
const CACHE_BOUNDS: CacheBounds = { maxDocuments: 10_000, maxBytes: 8 * 1024 * 1024 };
const REBUILD_CACHE_BOUNDS: CacheBounds = { maxDocuments: 200_000, maxBytes: 128 * 1024 * 1024 };

const statusOf =
  (stores: Parameters<typeof sharedReads>[0], registry: ProjectionRegistry): ProjectionEngine['status'] =>
  (names) => {
    const shared = sharedReads(stores, registry.group.name);
    return Promise.all(
      registry.projections
        .filter(({ name }) => names?.includes(name) ?? true)
        .map((projection) => projectionStatus(shared, projection)),
    );
  };

export function projectionEngine(options: ProjectionEngineOptions): ProjectionEngine {
  const { events, reads, registry, decode } = options;
  const { group } = registry;
  const holder = options.holder ?? processHolder();
  const leaseTiming = options.leaseTiming ?? LEASE_TIMING;
  const lookEveryMs = options.lookEveryMs ?? LOOK_EVERY_MS;
  const pollMs = options.pollMs ?? POLL_MS;
  const pace = options.pace ?? PACE;
  const cacheBounds = options.cacheBounds ?? CACHE_BOUNDS;
  const onFailure = options.onFailure ?? ((): void => undefined);

  const sessionOf = (projectionName: string): LeaderSession | null =>
    leader.sessionOf(registry.named(projectionName).name);
  const progress = liveProgress(registry, reads, sessionOf, pollMs);
  const onSetBack = options.onSetBack ?? ((): void => undefined);
  const logWatch = fitWatch({
    events,
    reads,
    decode,
    group,
    leaseTiming,
    lookEveryMs,
    onMisfit: options.onMisfit ?? (async () => undefined),
    onSetBack,
  });
  const watching = viewWatch(registry, reads, sessionOf, options.watchPollMs ?? WATCH_POLL_MS);
  const advanced = (): void => {
    progress.advanced();
    watching.advanced();
  };
  const leaderAs = (as: string): GroupLeader =>
    groupLeader({
      group,
      events,
      reads,
      decode,
      holder: as,
      leaseTiming,
      lookEveryMs,
      pace,
      cacheBounds,
      aroundSlice: options.aroundSlice,
      onProgress: advanced,
      onMisfit: logWatch.clear,
      onFailure,
    });
  const leader = leaderAs(holder);
  const rebuilding = rebuilder({
    events,
    reads,
    decode,
    // Not the leader's name: the lease of the group must not look like a renewal to it.
    holder: processHolder(),
    leaseTiming,
    pace: options.pace ?? REBUILD_PACE,
    cacheBounds: options.cacheBounds ?? REBUILD_CACHE_BOUNDS,
    pollMs,
    groupName: group.name,
    attempt: { underWay: null },
    elsewhere: options.elsewhere,
    look: ({ name }) => leader.takeIn(name),
  });

  const seenLive = new Set<string>();
  const status = statusOf(options, registry);

  return {
    requireFit: logWatch.look,
    requireServed: logWatch.requireServed,
    start: leader.start,
    stop: async () => {
      await Promise.all([logWatch.stop(), leader.stop()]);
      progress.stop();
      watching.stop();
    },
    watch: watching.watch,
    reached: progress.reached,
    isParked: progress.isParked,
    standing: async (viewName, workspaceId) => {
      const projection = registry.named(viewName);
      return (await logWatch.isServed(projection)) ? viewStanding(reads, projection, workspaceId) : null;
    },
    names: registry.projections.map(({ name }) => name),
    status,
    readiness: () => projectionsReadiness(options, group, logWatch.unserved()),
    figures: () => projectionFigures(options, registry.projections),
    hasCaughtUp: async () => {
      for (const projection of registry.projections) {
        if (seenLive.has(projection.name)) continue;
        if ((await reads.generations(projection)).live === null) return false;
        seenLive.add(projection.name);
      }
      return true;
    },
    retry: async (projectionName, workspaceId) => {
      const workspace = workspaceId === undefined ? null : String(workspaceId);
      const session = sessionOf(projectionName);
      if (session !== null) return session.retry(projectionName, workspace);
      const request = await requestRetry(reads, group.name, { projectionName, workspaceId: workspace });
      // Where nobody leads, this process does until the request is answered.
      const standIn = leaderAs(processHolder());
      standIn.start();
      try {
        for (;;) {
          const answer = await takeRetryAnswer(reads, request);
          if (answer !== null) return answer;
          await (leader.session() ?? standIn.session())?.look();
          await pause(pollMs);
        }
      } finally {
        await standIn.stop();
      }
    },
    rebuild: async (projectionName, rebuildOptions = {}) =>
      rebuilding.rebuilds(1)(registry.named(projectionName), rebuildOptions),
    rebuildTogether: (count) => {
      const rebuild = rebuilding.rebuilds(count);
      return async (projectionName, rebuildOptions) =>
        rebuild(registry.named(projectionName), rebuildOptions);
    },
    rollback: async (projectionName, rebuildOptions = {}) =>
      rebuilding.rollback(registry.named(projectionName), rebuildOptions),
    abandon: async (projectionName) => rebuilding.abandon(registry.named(projectionName)),
    cancel: async (projectionName) => rebuilding.cancel(registry.named(projectionName)),
    parked: async (projectionName) => parkedEventsOf(reads, registry.named(projectionName)),
    verify: async (projectionName, verifyOptions = {}) =>
      rebuilding.verify(registry.named(projectionName), verifyOptions),
    isLeading: () => leader.session() !== null,
  };
}
