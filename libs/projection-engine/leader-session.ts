import type { EventBatch } from '#kernel/ports/event-store.port.js';
import type { Generation } from '#kernel/ports/read-store.port.js';
import { inPieces } from '#kernel/values/pieces.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import type { CacheBounds } from './document-cache.js';
import { drainStep } from './drain.js';
import { fill } from './fill.js';
import { goLive } from './go-live.js';
import { inbox, type Inbox } from './inbox.js';
import { deleteMisfitNote } from './misfit-note.js';
import { deleteHalt, dropGeneration } from './parked.js';
import {
  projectBatch,
  returnToCheckpoints,
  sliceSize,
  writeIdleCheckpoints,
  type Pace,
  type ProjectorContext,
} from './project-batch.js';
import { putBackToBuilding, readyRebuilds } from './rebuild-note.js';
import { typesOf, viewKey, type ProjectionGroup } from './registry.js';
import { findViews, renewMisfits } from './renew-misfits.js';
import { answerRequests, type RetryOutcome } from './retry-request.js';
import { routesOf } from './slice.js';
import { sweepTombstones } from './tombstones.js';
import { oldestPosition, openProjectedView, type ProjectedView } from './projected-view.js';

export type SessionOptions = {
  readonly group: ProjectionGroup;
  readonly context: ProjectorContext;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
  /** Called after every write, when waiters may go on. */
  readonly onProgress: () => void;
  /** Removes what else was learned from events that are gone. May be called again after a crash. */
  readonly onMisfit: () => Promise<void>;
};

/** One term of a group's leader, from taking the lease to giving it back. */
export type LeaderSession = {
  /** The generation that queries read, by projection name; none before it has caught up the first time. */
  readonly live: ReadonlyMap<string, ProjectedView>;
  /** First generations that have not caught up yet, by projection name. */
  readonly first: ReadonlyMap<string, ProjectedView>;
  /** Runs until stopped. Rejects with `LeaseLost`, `StoreUnavailable` or what else goes wrong. */
  readonly run: () => Promise<void>;
  /** Finishes the slice, writes the checkpoints and lets `run` resolve. */
  readonly stop: () => void;
  readonly fail: (error: unknown) => void;
  /** Looks after what others asked for: rebuilds that are ready, retries; writes checkpoints that lag. */
  readonly look: () => Promise<void>;
  readonly retry: (projectionName: string, workspaceId: string | null) => Promise<RetryOutcome>;
};

/** The views of an empty store are made so many at a time: each takes a server some twenty requests. */
const VIEWS_AT_ONCE = 8;

export function leaderSession({
  group,
  context,
  pace,
  cacheBounds,
  onProgress,
  onMisfit,
}: SessionOptions): LeaderSession {
  const { reads, events } = context;
  const box: Inbox = inbox();
  const live = new Map<string, ProjectedView>();
  const first = new Map<string, ProjectedView>();
  const followed = new Set<ProjectedView>();
  /** ProjectedViews that catch up beside the others, each until it has joined them or stopped. */
  const lanes = new Map<ProjectedView, Promise<void>>();
  const ending = new AbortController();
  let resubscribe = false;
  let stopping = false;

  /** The loop runs, so the projectedViews are there: a store may take its time to open them, and others ask meanwhile. */
  const opened = box.post(async () => undefined);
  // Who waits for it is told; where nobody does there is nobody to tell.
  opened.catch(() => undefined);

  const openProjectedViews = async (): Promise<void> => {
    const misfits = await renewMisfits(context, group, await findViews(context, group.projections), onMisfit);
    const found = await sideBySide(group.projections, VIEWS_AT_ONCE, async (projection) => {
      const generations = await reads.generations(projection);
      const number = generations.live ?? Math.max(1, ...generations.all);
      return { generations, projectedView: await openProjectedView(reads, projection, number, cacheBounds) };
    });
    for (const { generations, projectedView } of found) {
      (generations.live === null ? first : live).set(projectedView.projection.name, projectedView);
      if (generations.live !== null && projectedView.halt === null) followed.add(projectedView);
      if (generations.live !== null && projectedView.halt !== null) startLane([projectedView]);
    }
    // Together: after the read store was deleted, history is read once and not once a projection.
    if (first.size > 0) startLane([...first.values()]);
    else await deleteMisfitNote(reads, group.name);
    void dropAll(misfits);
  };

  /** Beside everything else: emptying a large generation takes its time. What is left is found by the next leader. */
  const dropAll = async (generations: readonly Generation[]): Promise<void> => {
    try {
      for (const generation of generations) {
        if (ending.signal.aborted) return;
        await dropGeneration(reads, generation);
      }
    } catch (error) {
      if (!ending.signal.aborted) box.fail(error);
    }
  };

  const startLane = (projectedViews: readonly ProjectedView[]): void => {
    for (const projectedView of projectedViews) if (followed.delete(projectedView)) resubscribe = true;
    const lane = async (): Promise<void> => {
      for (const projectedView of projectedViews) projectedView.halt = null;
      await fill(context, projectedViews, pace, ending.signal, onProgress);
      for (const some of inPieces(projectedViews, VIEWS_AT_ONCE)) {
        if (ending.signal.aborted) return;
        await box.post(async () => void (await sideBySide(some, VIEWS_AT_ONCE, join)));
      }
    };
    const done = lane()
      .catch((error: unknown) => box.fail(error))
      .finally(() => {
        for (const projectedView of projectedViews) lanes.delete(projectedView);
      });
    for (const projectedView of projectedViews) lanes.set(projectedView, done);
  };

  const join = async (projectedView: ProjectedView): Promise<void> => {
    const { projection, generation } = projectedView;
    const current = live.get(projection.name) ?? null;
    const isFit =
      projectedView.halt === null &&
      (current === projectedView || (await goLive(context, current, projectedView, pace)));
    if (!isFit) {
      await putBackToBuilding(reads, generation);
      return;
    }
    await deleteHalt(reads, generation);
    if (current !== null) followed.delete(current);
    first.delete(projection.name);
    live.set(projection.name, projectedView);
    followed.add(projectedView);
    resubscribe = true;
    if (first.size === 0) await deleteMisfitNote(reads, group.name);
    onProgress();
  };

  const adoptReadyRebuilds = async (): Promise<void> => {
    const ready = await readyRebuilds(reads);
    if (ready.size === 0) return;
    for (const projection of group.projections) {
      const note = ready.get(viewKey(projection));
      if (note === undefined || isOpen(projection.name, note.generation)) continue;
      startLane([await openProjectedView(reads, projection, note.generation, cacheBounds)]);
    }
  };

  const isOpen = (projectionName: string, generation: number): boolean =>
    [...lanes.keys(), ...live.values()].some(
      (projectedView) =>
        projectedView.projection.name === projectionName &&
        projectedView.generation.generation === generation,
    );

  let looking: Promise<void> | null = null;
  const lookOnce = async (): Promise<void> => {
    await opened;
    await adoptReadyRebuilds();
    await answerRequests(reads, group.name, retry);
    await box.post(async () => {
      await writeIdleCheckpoints(context, [...followed]);
      await sweepTombstones(context, group.name, [...live.values()]);
    });
  };

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = null)));

  const retry = async (projectionName: string, workspaceId: string | null): Promise<RetryOutcome> => {
    await opened;
    const projectedView = live.get(projectionName) ?? first.get(projectionName);
    if (projectedView === undefined) throw new Error(`${group.name} does not project ${projectionName} yet`);
    // A halted one that still shares its lane with others is restarted when they have arrived.
    await lanes.get(projectedView);
    await box.post(async () => {
      if (projectedView.halt !== null && !lanes.has(projectedView)) startLane([projectedView]);
    });
    await lanes.get(projectedView);
    let drained = 0;
    const stillParked: { readonly workspaceId: string; readonly reason: string }[] = [];
    const workspaces = workspaceId === null ? [...projectedView.parked.keys()] : [workspaceId];
    for (const parkedWorkspace of workspaces) {
      if (!projectedView.parked.has(parkedWorkspace)) continue;
      for (let left = 'more'; left === 'more';) {
        const step = await box.post(() => drainStep(context, projectedView, parkedWorkspace));
        drained += step.events;
        left = step.left;
      }
      const reason = projectedView.parked.get(parkedWorkspace)?.reason;
      if (reason !== undefined) stillParked.push({ workspaceId: parkedWorkspace, reason });
    }
    onProgress();
    return { events: drained, stillParked, halted: projectedView.halt?.reason ?? null };
  };

  const follow = async (): Promise<void> => {
    resubscribe = false;
    const projectedViews = [...followed];
    const routes = routesOf(projectedViews);
    const size = sliceSize(pace);
    const ended = new AbortController();
    const source =
      projectedViews.length === 0
        ? null
        : events
            .subscribe({
              after: oldestPosition(projectedViews),
              types: typesOf(projectedViews.map(({ projection }) => projection)),
              signal: ended.signal,
            })
            [Symbol.asyncIterator]();
    const afterSlice = async (): Promise<'go on' | 'stop'> => {
      for (const projectedView of projectedViews)
        if (projectedView.halt !== null && followed.delete(projectedView)) resubscribe = true;
      onProgress();
      await box.runAll();
      return stopping || resubscribe ? 'stop' : 'go on';
    };
    let arrived: IteratorResult<EventBatch> | null = null;
    let asked: Promise<void> | null = null;
    try {
      while (!stopping && !resubscribe) {
        if (source !== null) {
          asked ??= source.next().then(
            (result) => {
              arrived = result;
              box.wake();
            },
            (error: unknown) => box.fail(error),
          );
        }
        await box.arrival();
        await box.runAll();
        const result: IteratorResult<EventBatch> | null = takeArrived();
        if (result === null || stopping || resubscribe) continue;
        asked = null;
        if (result.done === true) throw new Error('the subscription ended by itself');
        if (result.value.resumed === true) {
          await returnToCheckpoints(context, projectedViews);
          return;
        }
        await projectBatch(context, routes, projectedViews, result.value, size, afterSlice);
      }
    } finally {
      ended.abort();
      await asked;
      await source?.return?.();
    }

    function takeArrived(): IteratorResult<EventBatch> | null {
      const result = arrived;
      arrived = null;
      return result;
    }
  };

  return {
    live,
    first,
    run: async () => {
      try {
        await openProjectedViews();
        onProgress();
        while (!stopping) await follow();
        await writeIdleCheckpoints(context, [...followed]);
      } finally {
        ending.abort();
        box.close(new Error(`the leader of ${group.name} stopped`));
        await Promise.allSettled(lanes.values());
      }
    },
    stop: () => {
      stopping = true;
      box.wake();
    },
    fail: box.fail,
    look,
    retry,
  };
}
