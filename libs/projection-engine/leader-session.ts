import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Generation } from '#kernel/ports/read-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { catchingUp, VIEWS_AT_ONCE } from './catching-up.js';
import type { CacheBounds } from './document-cache.js';
import { follow } from './follow.js';
import { inbox, type Inbox } from './inbox.js';
import { deleteMisfitNote } from './misfit-note.js';
import { dropGeneration } from './parked.js';
import { writeIdleCheckpoints, type AroundSlice, type Pace, type ProjectorContext } from './project-batch.js';
import { openProjectedView, type ProjectedView } from './projected-view.js';
import { readyRebuilds, type RebuildNote } from './rebuild-note.js';
import { viewKey, type ProjectionGroup } from './registry.js';
import { findViews, renewMisfits } from './renew-misfits.js';
import { answerRequests, retryRequests, type RetryOutcome } from './retry-request.js';
import { retryView } from './retry-view.js';
import { followedViews, type SessionViews } from './session-views.js';
import { tombstoneSweep } from './tombstones.js';

export type SessionOptions = {
  readonly group: ProjectionGroup;
  readonly context: ProjectorContext;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
  readonly aroundSlice: AroundSlice | undefined;
  /** Called after every write, when waiting readers may continue. */
  readonly onProgress: () => void;
  /** Removes other data that came from events that no longer exist. May be called again after a crash. */
  readonly onMisfit: () => Promise<void>;
};

/** One term of a group's leader, from taking the lease to releasing it. */
export type LeaderSession = {
  /** The live generation by projection name; none before the first catch-up. */
  readonly live: ReadonlyMap<string, ProjectedView>;
  /** First generations that have not caught up yet, by projection name. */
  readonly first: ReadonlyMap<string, ProjectedView>;
  /** Runs until stopped. Rejects with `LeaseLost`, `StoreUnavailable` or another error. */
  readonly run: () => Promise<void>;
  /** Finishes the slice, writes the checkpoints and lets `run` resolve. */
  readonly stop: () => void;
  readonly fail: (error: unknown) => void;
  /** Handles ready rebuilds and retries that other processes request; writes overdue checkpoints. */
  readonly look: () => Promise<void>;
  /** Checks, and waits until the ready rebuild of this projection is live or given up. */
  readonly takeIn: (projectionName: string) => Promise<void>;
  readonly retry: (projectionName: string, workspaceId: string | null) => Promise<RetryOutcome>;
};

export function leaderSession({
  group,
  context,
  pace,
  cacheBounds,
  aroundSlice,
  onProgress,
  onMisfit,
}: SessionOptions): LeaderSession {
  const { reads } = context;
  const box: Inbox = inbox();
  const views: SessionViews = { live: new Map(), first: new Map(), followed: followedViews() };
  const { live, first, followed } = views;
  const ending = new AbortController();
  const groupName = group.name;
  const catching = catchingUp({ context, groupName, pace, box, ending: ending.signal, onProgress }, views);
  const sweepOldTombstones = tombstoneSweep(context, groupName);
  let stopping = false;

  /** The loop runs, so the views exist: a store may need time to open them, and other callers ask meanwhile. */
  const opened = box.post(async () => undefined);
  // Waiting callers get the error; without one it is not reported.
  opened.catch(() => undefined);

  const openProjectedViews = async (): Promise<void> => {
    const misfits = await renewMisfits(context, group, await findViews(context, group.projections), onMisfit);
    const found = await sideBySide(group.projections, VIEWS_AT_ONCE, async (projection) => {
      const generations = await reads.generations(projection);
      const number = generations.live ?? Math.max(1, ...generations.all);
      return { generations, view: await openProjectedView(reads, projection, number, cacheBounds) };
    });
    for (const { generations, view } of found) {
      (generations.live === null ? first : live).set(view.projection.name, view);
      if (generations.live !== null && view.halt === null) followed.join(view);
      if (generations.live !== null && view.halt !== null) catching.start([view]);
    }
    // Together: after the read store was deleted, history is read once and not once per projection.
    if (first.size > 0) catching.start([...first.values()]);
    else await deleteMisfitNote(reads, groupName);
    void dropAll(misfits);
  };

  /** In the background: emptying a large generation takes time. The next leader finds the rest. */
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

  const adoptRebuilds = async (ready: ReadonlyMap<string, RebuildNote>): Promise<void> => {
    const adopted: ProjectedView[] = [];
    for (const projection of group.projections) {
      const note = ready.get(viewKey(projection));
      if (note === undefined || isOpen(projection.name, note.generation)) continue;
      adopted.push(await openProjectedView(reads, projection, note.generation, cacheBounds));
      await nextTurn();
    }
    if (adopted.length > 0) catching.start(adopted);
  };

  const isOpen = (projectionName: string, generation: number): boolean =>
    [...catching.views(), ...live.values()].some(
      (view) => view.projection.name === projectionName && view.generation.generation === generation,
    );

  let looking: Promise<void> | null = null;
  const lookOnce = async (): Promise<void> => {
    await opened;
    // Together: a server answers both in one call.
    const [ready, requests] = await Promise.all([readyRebuilds(reads), retryRequests(reads, groupName)]);
    await adoptRebuilds(ready);
    await answerRequests(reads, requests, retry);
    await box.post(async () => {
      await writeIdleCheckpoints(context, followed.all());
      await sweepOldTombstones([...live.values()]);
    });
  };

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = null)));

  const retry = async (projectionName: string, workspaceId: string | null): Promise<RetryOutcome> => {
    await opened;
    const view = live.get(projectionName) ?? first.get(projectionName);
    if (view === undefined) throw new Error(`${groupName} does not project ${projectionName} yet`);
    const outcome = await retryView({ context, box, catching }, view, workspaceId);
    onProgress();
    return outcome;
  };

  return {
    live,
    first,
    run: async () => {
      try {
        await openProjectedViews();
        onProgress();
        while (!stopping)
          await follow({ context, pace, box, followed, aroundSlice, onProgress, isStopping: () => stopping });
        await writeIdleCheckpoints(context, followed.all());
      } finally {
        ending.abort();
        box.close(new Error(`the leader of ${groupName} stopped`));
        await catching.allEnded();
      }
    },
    stop: () => {
      stopping = true;
      box.wake();
    },
    fail: box.fail,
    takeIn: async (projectionName) => {
      await look();
      const coming = catching.views().filter(({ projection }) => projection.name === projectionName);
      await Promise.all(coming.map(catching.endOf));
    },
    look,
    retry,
  };
}
