import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { ReadModelProgress, WrittenEvents } from '#kernel/ports/progress.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { LeaderSession } from './leader-session.js';
import { generationKey, loadParkedKeys, parkedKey } from './parked.js';
import type { ProjectionRegistry } from './registry.js';

type Waiter = {
  readonly position: Position;
  readonly projections: readonly Projection[];
  readonly workspaceId: string | null;
  readonly settle: (reached: boolean) => void;
};

/** A projection as another process's leader left it in the read store. */
type Persisted = {
  readonly generation: number;
  /** False for a first generation that has not caught up yet: nobody can read it, however far it is. */
  readonly isLive: boolean;
  readonly position: Position;
  readonly isHalted: boolean;
};

export type LiveProgress = ReadModelProgress & {
  /** True where a workspace's queries of this view must not be answered: it is parked. */
  readonly isParked: (viewName: string, workspaceId: number) => Promise<boolean>;
  /** Lets waiters go on that have what they wait for; called after each write of a session. */
  readonly advanced: () => void;
  readonly stop: () => void;
};

/** How old what is known about pointers, parked workspaces and halts of other processes' terms may be. */
const FACTS_MS = 250;
const EAGER_LOOKS = 3;
const EAGER_POLL_MS = 10;

/**
 * Progress of the live generations: from memory where this process leads, else from the persisted checkpoints,
 * which are read every `pollMs` while somebody waits. An old pointer does no harm: a swapped-out generation
 * stands still, and the new one had reached it.
 */
export function liveProgress(
  registry: ProjectionRegistry,
  reads: ReadStore,
  sessionOf: (projectionName: string) => LeaderSession | null,
  pollMs: number,
): LiveProgress {
  const waiters = new Set<Waiter>();
  const persisted = new Map<string, Persisted>();
  let parkedKeys: ReadonlySet<string> = new Set();
  let factsAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;
  let poll: NodeJS.Timeout | null = null;
  /** Looks since the first of those who wait now began to. */
  let vainLooks = 0;

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
    const known = persisted.get(projection.name);
    if (known === undefined) return false;
    if ((known.isLive && known.position >= position) || known.isHalted) return true;
    const generation = { view: projection, generation: known.generation };
    return workspaceId !== null && parkedKeys.has(parkedKey(generation, workspaceId));
  };

  const isDone = (waiter: Waiter): boolean => {
    for (const projection of waiter.projections) if (!hasReached(projection, waiter)) return false;
    return true;
  };

  const advanced = (): void => {
    for (const waiter of waiters) if (isDone(waiter)) waiter.settle(true);
  };

  /** Projecting takes some milliseconds: the first looks come soon, and then 20 a second at most. */
  const nextLookMs = (): number => (vainLooks < EAGER_LOOKS ? Math.min(EAGER_POLL_MS, pollMs) : pollMs);

  const readFacts = async (): Promise<void> => {
    const keys = await loadParkedKeys(reads);
    await Promise.all(
      registry.projections.map(async (projection) => {
        const { live, all } = await reads.generations(projection);
        const generation = live ?? all.at(-1);
        if (generation === undefined) return;
        const key = generationKey({ view: projection, generation });
        const isHalted = (await reads.getRecord('halted', key)) !== null;
        const known = persisted.get(projection.name);
        const position = known?.generation === generation ? known.position : START;
        persisted.set(projection.name, { generation, isLive: live !== null, position, isHalted });
      }),
    );
    parkedKeys = keys;
    factsAt = performance.now();
  };

  const refreshFacts = async (): Promise<void> => {
    if (performance.now() - factsAt < FACTS_MS) return;
    refreshing ??= readFacts().finally(() => (refreshing = null));
    await refreshing;
  };

  const readCheckpoints = async (): Promise<void> => {
    const wanted = new Set<Projection>();
    for (const { projections } of waiters)
      for (const projection of projections) if (sessionOf(projection.name) === null) wanted.add(projection);
    if (wanted.size === 0) return;
    await refreshFacts();
    await Promise.all(
      [...wanted].map(async (projection) => {
        const known = persisted.get(projection.name);
        if (known === undefined) return;
        const checkpoint = await reads.checkpoint({ view: projection, generation: known.generation });
        if (checkpoint !== null && persisted.get(projection.name) === known)
          persisted.set(projection.name, { ...known, position: checkpoint.position });
      }),
    );
  };

  const pollSoon = (): void => {
    if (poll !== null || waiters.size === 0) return;
    // The store being away is not the waiter's failure: it waits until its time is over.
    const look = (): void =>
      void readCheckpoints()
        .catch(() => undefined)
        .then(() => {
          poll = null;
          vainLooks += 1;
          advanced();
          pollSoon();
        });
    poll = setTimeout(look, nextLookMs());
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
        if (waiters.size === 0) vainLooks = 0;
        waiters.add(waiter);
        pollSoon();
      });
    },
    isParked: async (viewName, workspaceId) => {
      const session = sessionOf(viewName);
      if (session !== null) return session.live.get(viewName)?.parked.has(String(workspaceId)) ?? false;
      await refreshFacts();
      const known = persisted.get(viewName);
      if (known === undefined) return false;
      const generation = { view: registry.named(viewName).projection, generation: known.generation };
      return parkedKeys.has(parkedKey(generation, String(workspaceId)));
    },
    advanced,
    stop: () => {
      if (poll !== null) clearTimeout(poll);
      for (const waiter of waiters) waiter.settle(false);
    },
  };
}
