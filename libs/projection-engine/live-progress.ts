import type { Position } from '#kernel/ports/event-store.port.js';
import type { ReadModelProgress, WrittenEvents } from '#kernel/ports/progress.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { LeaderSession } from './leader-session.js';
import { persistedProgress } from './persisted-progress.js';
import type { ProjectionRegistry } from './registry.js';

type Waiter = {
  readonly position: Position;
  readonly projections: readonly Projection[];
  readonly workspaceId: string | null;
  readonly settle: (reached: boolean) => void;
};

export type LiveProgress = ReadModelProgress & {
  /** True if a workspace's queries of this view must not be answered, because it is parked. */
  readonly isParked: (viewName: string, workspaceId: number) => Promise<boolean>;
  /** Resolves waiters whose events are projected; called after each write of a session. */
  readonly advanced: () => void;
  readonly stop: () => void;
};

/** Projecting takes some milliseconds: the first checks come soon, later ones at growing intervals. */
const FIRST_LOOK_MS = 1;
const LOOKS_APART_SHARE = 1 / 4;

/**
 * Progress of the live generations: from memory if this process leads, else from the stored checkpoints, which are
 * read every `pollMs` while a caller waits, and sooner after a wait began or ended.
 */
export function liveProgress(
  registry: ProjectionRegistry,
  reads: ReadStore,
  sessionOf: (projectionName: string) => LeaderSession | null,
  pollMs: number,
): LiveProgress {
  const waiters = new Set<Waiter>();
  const persisted = persistedProgress(reads);
  let poll: NodeJS.Timeout | null = null;
  /** The time when a wait began or a check resolved one. */
  let lookingSince = 0;
  let lookTookMs = 0;

  const hasReached = (projection: Projection, waiter: Waiter): boolean => {
    const { position, workspaceId } = waiter;
    const session = sessionOf(projection.name);
    if (session !== null) {
      const live = session.live.get(projection.name);
      const projectedView = live ?? session.first.get(projection.name);
      if (projectedView === undefined) return false;
      if ((projectedView === live && projectedView.position >= position) || projectedView.halt !== null)
        return true;
      return workspaceId !== null && projectedView.parked.has(workspaceId);
    }
    return persisted.hasReached(projection, position, workspaceId);
  };

  const isDone = (waiter: Waiter): boolean => {
    for (const projection of waiter.projections) if (!hasReached(projection, waiter)) return false;
    return true;
  };

  const advanced = (): void => {
    for (const waiter of waiters) if (isDone(waiter)) waiter.settle(true);
  };

  /** Checks take at most half of the time, and at most 20 a second run for long waits. */
  const nextLookMs = (): number => {
    const waitedMs = performance.now() - lookingSince;
    return Math.min(pollMs, Math.max(FIRST_LOOK_MS, lookTookMs, waitedMs * LOOKS_APART_SHARE));
  };

  /** The types that a waiter misses and no session of this process reports. */
  const missing = (waiter: Waiter): readonly Projection[] =>
    waiter.projections
      .filter(({ name }) => sessionOf(name) === null)
      .filter((one) => !hasReached(one, waiter));

  /** A leader writes the checkpoints of a slice together: while one of them is missing, the others are not read. */
  const readCheckpoints = async (): Promise<void> => {
    const asked = new Map<Waiter, Projection>();
    for (const waiter of waiters) {
      const [first] = missing(waiter);
      if (first !== undefined) asked.set(waiter, first);
    }
    if (asked.size === 0) return;
    await persisted.readCheckpoints([...new Set(asked.values())]);
    const further = [...asked].filter(([waiter, first]) => hasReached(first, waiter));
    const left = new Set(further.flatMap(([waiter]) => missing(waiter)));
    if (left.size > 0) await persisted.readCheckpoints([...left]);
  };

  const pollSoon = (): void => {
    if (poll !== null || waiters.size === 0) return;
    const look = async (): Promise<void> => {
      const lookedAt = performance.now();
      // An unavailable store is no error of the waiter: it waits until its timeout.
      await readCheckpoints().catch(() => undefined);
      lookTookMs = performance.now() - lookedAt;
      const before = waiters.size;
      advanced();
      if (waiters.size < before) lookingSince = performance.now();
      poll = null;
      pollSoon();
    };
    poll = setTimeout(() => void look(), nextLookMs());
    poll.unref();
  };

  return {
    reached: ({ position, types, workspaceId }: WrittenEvents, timeoutMs) => {
      const projections = registry.handling(types);
      const workspace = workspaceId === null ? null : String(workspaceId);
      return new Promise<boolean>((resolve) => {
        const settle = (reached: boolean): void => {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(reached);
        };
        const waiter: Waiter = { position, projections, workspaceId: workspace, settle };
        const timer = setTimeout(() => settle(isDone(waiter)), timeoutMs);
        if (isDone(waiter)) {
          settle(true);
          return;
        }
        if (waiters.size === 0) lookingSince = performance.now();
        waiters.add(waiter);
        pollSoon();
      });
    },
    isParked: async (viewName, workspaceId) => {
      const session = sessionOf(viewName);
      if (session !== null) return session.live.get(viewName)?.parked.has(String(workspaceId)) ?? false;
      return persisted.isParked(registry.named(viewName), String(workspaceId));
    },
    advanced,
    stop: () => {
      if (poll !== null) clearTimeout(poll);
      for (const waiter of waiters) waiter.settle(false);
    },
  };
}
