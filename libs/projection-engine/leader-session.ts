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
  type Workbench,
} from './project-batch.js';
import { putBackToBuilding, readyRebuilds } from './rebuild-note.js';
import { typesOf, viewKey, type ProjectionGroup } from './registry.js';
import { findViews, renewMisfits } from './renew-misfits.js';
import { answerRequests, type RetryOutcome } from './retry-request.js';
import { routesOf } from './slice.js';
import { sweepTombstones } from './tombstones.js';
import { oldestPosition, openTrack, type Track } from './track.js';

export type SessionOptions = {
  readonly group: ProjectionGroup;
  readonly bench: Workbench;
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
  readonly live: ReadonlyMap<string, Track>;
  /** First generations that have not caught up yet, by projection name. */
  readonly first: ReadonlyMap<string, Track>;
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
  bench,
  pace,
  cacheBounds,
  onProgress,
  onMisfit,
}: SessionOptions): LeaderSession {
  const { reads, events } = bench;
  const box: Inbox = inbox();
  const live = new Map<string, Track>();
  const first = new Map<string, Track>();
  const followed = new Set<Track>();
  /** Tracks that catch up beside the others, each until it has joined them or stopped. */
  const lanes = new Map<Track, Promise<void>>();
  const ending = new AbortController();
  let resubscribe = false;
  let stopping = false;

  /** The loop runs, so the tracks are there: a store may take its time to open them, and others ask meanwhile. */
  const opened = box.post(async () => undefined);
  // Who waits for it is told; where nobody does there is nobody to tell.
  opened.catch(() => undefined);

  const openTracks = async (): Promise<void> => {
    const misfits = await renewMisfits(bench, group, await findViews(bench, group.projections), onMisfit);
    const found = await sideBySide(group.projections, VIEWS_AT_ONCE, async (projection) => {
      const generations = await reads.generations(projection);
      const number = generations.live ?? Math.max(1, ...generations.all);
      return { generations, track: await openTrack(reads, projection, number, cacheBounds) };
    });
    for (const { generations, track } of found) {
      (generations.live === null ? first : live).set(track.projection.name, track);
      if (generations.live !== null && track.halt === null) followed.add(track);
      if (generations.live !== null && track.halt !== null) startLane([track]);
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

  const startLane = (tracks: readonly Track[]): void => {
    for (const track of tracks) if (followed.delete(track)) resubscribe = true;
    const lane = async (): Promise<void> => {
      for (const track of tracks) track.halt = null;
      await fill(bench, tracks, pace, ending.signal, onProgress);
      for (const some of inPieces(tracks, VIEWS_AT_ONCE)) {
        if (ending.signal.aborted) return;
        await box.post(async () => void (await sideBySide(some, VIEWS_AT_ONCE, join)));
      }
    };
    const done = lane()
      .catch((error: unknown) => box.fail(error))
      .finally(() => {
        for (const track of tracks) lanes.delete(track);
      });
    for (const track of tracks) lanes.set(track, done);
  };

  const join = async (track: Track): Promise<void> => {
    const { projection, generation } = track;
    const current = live.get(projection.name) ?? null;
    const isFit = track.halt === null && (current === track || (await goLive(bench, current, track, pace)));
    if (!isFit) {
      await putBackToBuilding(reads, generation);
      return;
    }
    await deleteHalt(reads, generation);
    if (current !== null) followed.delete(current);
    first.delete(projection.name);
    live.set(projection.name, track);
    followed.add(track);
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
      startLane([await openTrack(reads, projection, note.generation, cacheBounds)]);
    }
  };

  const isOpen = (projectionName: string, generation: number): boolean =>
    [...lanes.keys(), ...live.values()].some(
      (track) => track.projection.name === projectionName && track.generation.generation === generation,
    );

  let looking: Promise<void> | null = null;
  const lookOnce = async (): Promise<void> => {
    await opened;
    await adoptReadyRebuilds();
    await answerRequests(reads, group.name, retry);
    await box.post(async () => {
      await writeIdleCheckpoints(bench, [...followed]);
      await sweepTombstones(bench, group.name, [...live.values()]);
    });
  };

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = null)));

  const retry = async (projectionName: string, workspaceId: string | null): Promise<RetryOutcome> => {
    await opened;
    const track = live.get(projectionName) ?? first.get(projectionName);
    if (track === undefined) throw new Error(`${group.name} does not project ${projectionName} yet`);
    // A halted one that still shares its lane with others is restarted when they have arrived.
    await lanes.get(track);
    await box.post(async () => {
      if (track.halt !== null && !lanes.has(track)) startLane([track]);
    });
    await lanes.get(track);
    let drained = 0;
    const stillParked: { readonly workspaceId: string; readonly reason: string }[] = [];
    const workspaces = workspaceId === null ? [...track.parked.keys()] : [workspaceId];
    for (const parkedWorkspace of workspaces) {
      if (!track.parked.has(parkedWorkspace)) continue;
      for (let left = 'more'; left === 'more';) {
        const step = await box.post(() => drainStep(bench, track, parkedWorkspace));
        drained += step.events;
        left = step.left;
      }
      const reason = track.parked.get(parkedWorkspace)?.reason;
      if (reason !== undefined) stillParked.push({ workspaceId: parkedWorkspace, reason });
    }
    onProgress();
    return { events: drained, stillParked, halted: track.halt?.reason ?? null };
  };

  const follow = async (): Promise<void> => {
    resubscribe = false;
    const tracks = [...followed];
    const routes = routesOf(tracks);
    const size = sliceSize(pace);
    const ended = new AbortController();
    const source =
      tracks.length === 0
        ? null
        : events
            .subscribe({
              after: oldestPosition(tracks),
              types: typesOf(tracks.map(({ projection }) => projection)),
              signal: ended.signal,
            })
            [Symbol.asyncIterator]();
    const afterSlice = async (): Promise<'go on' | 'stop'> => {
      for (const track of tracks) if (track.halt !== null && followed.delete(track)) resubscribe = true;
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
          await returnToCheckpoints(bench, tracks);
          return;
        }
        await projectBatch(bench, routes, tracks, result.value, size, afterSlice);
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
        await openTracks();
        onProgress();
        while (!stopping) await follow();
        await writeIdleCheckpoints(bench, [...followed]);
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
