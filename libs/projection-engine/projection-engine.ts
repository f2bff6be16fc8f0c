import type { Clock } from '#kernel/ports/clock.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReturnedSpace, ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import type { FillElsewhere } from './fill-elsewhere.js';
import { fitWatch } from './fit-watch.js';
import { groupLeader, type GroupLeader, type GroupLeaderOptions } from './group-leader.js';
import { LEASE_TIMING, processHolder, type LeaseTiming } from './held-lease.js';
import type { LeaderSession } from './leader-session.js';
import type { RetryOutcome } from './retry-request.js';
import { retrying } from './retrying.js';
import { liveProgress } from './live-progress.js';
import { parkedEventsOf, type ParkedEvents } from './parked.js';
import type { AroundSlice, Pace } from './project-batch.js';
import { projectionFigures, type ProjectionFigures } from './projection-figures.js';
import { projectionStatus, sharedReads, type ProjectionStatus } from './projection-status.js';
import { projectionsReadiness, type Readiness } from './readiness.js';
import type { RebuildOptions, RollbackOptions } from './rebuild-work.js';
import { rebuilder } from './rebuild.js';
import type { ProjectionRegistry } from './registry.js';
import type { Decode } from './slice.js';
import type { RebuildOutcome } from './swap-in.js';
import { stoppedViews, type StoppedView } from './stopped-views.js';
import type { Verification } from './verify.js';
import { viewStanding, type ViewStanding } from './view-standing.js';
import { viewWatch, type ViewWatch } from './view-watch.js';

export type ProjectionEngineOptions = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly registry: ProjectionRegistry;
  readonly decode: Decode;
  /** Product time, for the ages of events. Leases use real time. */
  readonly clock: Clock;
  /** Called when a term of leadership ended by an error (`LeaseLost`, `StoreUnavailable`, …); it is retried. */
  readonly onFailure?: (groupName: string, error: unknown) => void;
  readonly holder?: string;
  readonly leaseTiming?: LeaseTiming;
  /** The interval at which the lease is requested and requests of other processes are read (default 1 s). */
  readonly lookEveryMs?: number;
  /** The interval at which stored checkpoints are read while a caller waits for a leader in another process (50 ms). */
  readonly pollMs?: number;
  /** The interval at which checkpoints of watched views are read while another process projects them (250 ms). */
  readonly watchPollMs?: number;
  readonly pace?: Pace;
  /**
   * Whether the workers share projecting by partitions of workspaces. Default: if the read store takes several writers at
   * a time; otherwise they would wait for one another.
   */
  readonly sharing?: boolean;
  /** For how long the leader is behind the log before it shares projecting (default 5 s); 0: it always does. */
  readonly shareAfterMs?: number;
  /** How often a worker that does not lead reads how projecting is shared (250 ms). */
  readonly planEveryMs?: number;
  /** The bounds of the cached documents, per projection. */
  readonly cacheBounds?: CacheBounds;
  /**
   * Removes other data that came from events that no longer exist, before views with a log mismatch are rebuilt. May be
   * called again after a crash.
   */
  readonly onMisfit?: () => Promise<void>;
  /** Traces the slices of appended events. */
  readonly aroundSlice?: AroundSlice | undefined;
  /** Runs rebuilds beside a running service; absent: they run on this event loop. */
  readonly elsewhere?: FillElsewhere | undefined;
  /** Called in every process when the log was reset to an older one: cached data of the log is invalid. */
  readonly onSetBack?: () => void;
};

/** Runs all projections, or watches another process that runs them. One per application process. */
export type ProjectionEngine = ReadModelProgress & {
  /**
   * Checks every view for a log mismatch, and takes views with one out of service. Must complete before the process
   * serves. Rejects if a store is unavailable.
   */
  readonly requireFit: () => Promise<void>;
  /** Throws `ReadModelUnavailable` for a view with a log mismatch that another process serves. */
  readonly requireServed: (view: ViewShape) => Promise<void>;
  /** Projects whenever this process holds the lease. Without it, queries, waits and status still work. */
  readonly start: () => void;
  /** Finishes the current slice, writes checkpoints and releases leases. */
  readonly stop: () => Promise<void>;
  /** Calls back whenever one of these views has changed, in any process; the returned function ends the calls. */
  readonly watch: ViewWatch['watch'];
  /** True if queries of this view must answer 503 for the workspace. */
  readonly isParked: (viewName: string, workspaceId: number) => Promise<boolean>;
  /** Those of the named views that are halted, or parked for a workspace. */
  readonly stopped: (viewNames: readonly string[]) => Promise<readonly StoppedView[]>;
  /**
   * The standing of a view for a workspace, read from the read store. Documents must be read after it. Null while the
   * view has no live generation.
   */
  readonly standing: (viewName: string, workspaceId: number) => Promise<ViewStanding | null>;
  /** The names of all projections. */
  readonly names: readonly string[];
  /** The status of the named projections, or of all. */
  readonly status: (names?: readonly string[]) => Promise<readonly ProjectionStatus[]>;
  readonly readiness: () => Promise<Readiness>;
  /** The state of every projection in numbers, for metrics. */
  readonly figures: () => Promise<readonly ProjectionFigures[]>;
  /** True if every projection had a live generation at the last check. Cheap enough to poll. */
  readonly hasCaughtUp: () => Promise<boolean>;
  /** Folds parked events in order and restarts a halted projection, in this process or through the leader. */
  readonly retry: (projectionName: string, workspaceId?: number) => Promise<RetryOutcome>;
  /** Builds a new generation beside the live one, or continues an interrupted one, and swaps. */
  readonly rebuild: (projectionName: string, options?: RebuildOptions) => Promise<RebuildOutcome>;
  /** `rebuild` for this many views: history is read once, after all were called. If one is stopped, all stop. */
  readonly rebuildTogether: (
    count: number,
  ) => (projectionName: string, options: RebuildOptions) => Promise<RebuildOutcome>;
  /** Catches up the earlier generation and swaps back to it. */
  readonly rollback: (projectionName: string, options?: RollbackOptions) => Promise<RebuildOutcome>;
  /** Stops the running rebuild or verification, in any process; written data stays. */
  readonly cancel: (projectionName: string) => Promise<void>;
  /** The workspaces that are parked in the live generation, with the number of events and the reason. */
  readonly parked: (projectionName: string) => Promise<readonly ParkedEvents[]>;
  /** Removes the generation of a cancelled rebuild. */
  readonly abandon: (projectionName: string) => Promise<void>;
  /** Removes the generations that are not live, which a rollback needs, and those of earlier versions. Returns their number. */
  readonly prune: (projectionName: string) => Promise<number>;
  /**
   * Removes the generations of read models that this program does not have, except those that a running process of
   * another version projects. Returns their numbers by name.
   */
  readonly pruneUnknown: () => Promise<ReadonlyMap<string, number>>;
  /** Gives the space of removed generations back to the file system; null if the store does that by itself. */
  readonly giveBackSpace: (onProgress: (space: ReturnedSpace) => void) => Promise<ReturnedSpace | null>;
  /**
   * Replays a projection into a shadow generation and compares every document with the live one, which may change
   * meanwhile. Returns the first difference and the event where it begins. The shadow is removed.
   */
  readonly verify: (projectionName: string, options?: RebuildOptions) => Promise<Verification>;
  /** Ends the rebuilds and verifications of this process between two slices; their callers get `StoreUnavailable`. */
  readonly endRebuilds: () => void;
  /** True while this process projects. */
  readonly isLeading: () => boolean;
};

const LOOK_EVERY_MS = 1_000;
const POLL_MS = 50;
const WATCH_POLL_MS = 250;
const PLAN_EVERY_MS = 250;
const SHARE_AFTER_MS = 5_000;
// Work on the event loop of requests is bounded in time. One event may change hundreds of documents, of which 400 take
// 10 to 20 ms: the number of events adapts to that only after a long slice.
const PACE: Pace = { sliceMs: 10, maxSliceEvents: 500, maxSliceDocuments: 400 };
/** For an operator's process with no other work. Leases are still renewed between two slices. */
export const OPERATOR_PACE: Pace = { sliceMs: 250, maxSliceEvents: 5_000, isAlone: true };
// No caller waits for it; but callers that wait for another slice also wait for this one.
const REBUILD_PACE: Pace = { sliceMs: 5, maxSliceEvents: 500 };
const CACHE_BOUNDS: CacheBounds = { maxDocuments: 10_000, maxBytes: 8 * 1024 * 1024 };
/** Measured in a rebuild of all read models: 128 MiB take as long, and 60 MB more memory (docs/adr/0146). */
const REBUILD_CACHE_BOUNDS: CacheBounds = { maxDocuments: 50_000, maxBytes: 32 * 1024 * 1024 };

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

/** With several writers workers share projecting; with one they would wait for one another. */
function sharingOf({
  reads,
  sharing = reads.writersAtOnce > 1,
  planEveryMs = PLAN_EVERY_MS,
  shareAfterMs = SHARE_AFTER_MS,
}: ProjectionEngineOptions): GroupLeaderOptions['sharing'] {
  return sharing ? { planEveryMs, afterMs: shareAfterMs } : null;
}

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
  const leaderAs = (as: string, sharing: GroupLeaderOptions['sharing']): GroupLeader =>
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
      sharing,
      aroundSlice: options.aroundSlice,
      onProgress: advanced,
      onMisfit: logWatch.clear,
      onFailure,
    });
  const leader = leaderAs(holder, sharingOf(options));
  const retries = retrying({
    reads,
    groupName: group.name,
    leader,
    sessionOf,
    standIn: () => leaderAs(processHolder(), null),
    pollMs,
  });
  const rebuilding = rebuilder({
    events,
    reads,
    decode,
    // Another name than the leader's, so that the store does not take the request for a renewal.
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
    endRebuilds: rebuilding.stop,
    stop: async () => {
      retries.stop();
      await Promise.all([logWatch.stop(), leader.stop()]);
      progress.stop();
      watching.stop();
    },
    watch: watching.watch,
    reached: progress.reached,
    isParked: progress.isParked,
    stopped: (viewNames) => stoppedViews(reads, viewNames.map(registry.named)),
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
    retry: (projectionName, workspaceId) =>
      retries.retry(projectionName, workspaceId === undefined ? null : String(workspaceId)),
    rebuild: async (projectionName, rebuildOptions = {}) =>
      rebuilding.rebuilds(1)(registry.named(projectionName), rebuildOptions),
    rebuildTogether: (count) => {
      const rebuild = rebuilding.rebuilds(count);
      return async (projectionName, rebuildOptions) =>
        rebuild(registry.named(projectionName), rebuildOptions);
    },
    rollback: async (projectionName, rollbackOptions = {}) =>
      rebuilding.rollback(registry.named(projectionName), rollbackOptions),
    abandon: async (projectionName) => rebuilding.abandon(registry.named(projectionName)),
    prune: async (projectionName) => rebuilding.prune(registry.named(projectionName)),
    pruneUnknown: () => rebuilding.pruneUnknown(registry.projections.map(({ name }) => name)),
    giveBackSpace: async (onSpace) => (await reads.giveBackSpace?.(onSpace)) ?? null,
    cancel: async (projectionName) => rebuilding.cancel(registry.named(projectionName)),
    parked: async (projectionName) => parkedEventsOf(reads, registry.named(projectionName)),
    verify: async (projectionName, verifyOptions = {}) =>
      rebuilding.verify(registry.named(projectionName), verifyOptions),
    isLeading: () => leader.session() !== null,
  };
}
