import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore, Position } from '#kernel/event-store.port.js';
import type { Projection } from '#kernel/projection.js';
import type { ReadStore } from '#kernel/read-store.port.js';
import type { CacheBounds } from './document-cache.js';
import { fill } from './fill.js';
import { goLive } from './go-live.js';
import { groupLease } from './group-leader.js';
import { holdLease, type HeldLease, type LeaseTiming } from './held-lease.js';
import { deleteHalt, deleteNotesOf, loadHalt } from './parked.js';
import { catchUp, type Pace } from './project-batch.js';
import {
  deleteRebuildNote,
  isUnderWay,
  putRebuildNote,
  rebuildNote,
  type RebuildNote,
} from './rebuild-note.js';
import { viewKey, type ProjectionGroup } from './registry.js';
import type { Decode } from './slice.js';
import { openTrack, scanned, type Track } from './track.js';
import { compareWithShadow, type Verification } from './verify.js';

export type RebuildProgress = {
  readonly phase: 'building' | 'swapping';
  /** Events folded into the new generation, by this and earlier runs. */
  readonly events: number;
  readonly eventsPerSecond: number;
  /** Seconds until it has as many events as the live generation; null before there is a speed. */
  readonly etaSeconds: number | null;
  readonly position: Position;
  readonly head: Position;
};

export type RebuildOptions = {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops between two slices; what is built stays, and the next rebuild goes on with it. */
  readonly signal?: AbortSignal;
  /** Time a slice may keep the process's loop busy: more where nothing else runs in the process. */
  readonly pace?: Pace;
};

/** `halted`: an event that belongs to no workspace cannot be folded; nothing was swapped. */
export type RebuildOutcome =
  | { readonly outcome: 'live'; readonly generation: number; readonly previous: number }
  | { readonly outcome: 'cancelled'; readonly generation: number }
  | { readonly outcome: 'halted'; readonly generation: number; readonly reason: string };

export type RebuilderOptions = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly decode: Decode;
  readonly holder: string;
  readonly leaseTiming: LeaseTiming;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
  readonly pollMs: number;
  /** Tells a leader in this process to look at the notes at once. */
  readonly look: (group: ProjectionGroup) => Promise<void>;
};

/** A rebuild, rollback or abandon that cannot be had now; nothing was changed. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

type Target = { readonly projection: Projection; readonly group: ProjectionGroup };

export type Rebuilder = {
  readonly rebuild: (target: Target, options: RebuildOptions) => Promise<RebuildOutcome>;
  readonly rollback: (target: Target, options: RebuildOptions) => Promise<RebuildOutcome>;
  readonly abandon: (target: Target) => Promise<void>;
  readonly verify: (target: Target, options: VerifyOptions) => Promise<Verification>;
};

export type VerifyOptions = { readonly signal?: AbortSignal; readonly pace?: Pace };

/** Fills generations beside the live ones, under a lease a projection of their own, and has them swapped in. */
export function rebuilder(options: RebuilderOptions): Rebuilder {
  const { events, reads, decode } = options;

  const underLease = async <Result>(
    { projection }: Target,
    work: (lease: HeldLease) => Promise<Result>,
  ): Promise<Result> => {
    const lease = await holdLease(
      reads,
      `rebuild:${viewKey(projection)}`,
      options.holder,
      options.leaseTiming,
    );
    if (lease === null) throw new RebuildRefused(`${projection.name} is being rebuilt by another process`);
    try {
      return await work(lease);
    } finally {
      await lease.release();
    }
  };

  const liveGeneration = async (projection: Projection): Promise<number> => {
    const { live } = await reads.generations(projection);
    if (live === null) throw new RebuildRefused(`${projection.name} has not caught up the first time yet`);
    return live;
  };

  const drop = async (projection: Projection, generation: number): Promise<void> => {
    await reads.dropGeneration({ view: projection, generation });
    await deleteNotesOf(reads, { view: projection, generation });
  };

  const begin = async (projection: Projection, live: number): Promise<RebuildNote> => {
    const { all } = await reads.generations(projection);
    for (const generation of all) if (generation !== live) await drop(projection, generation);
    const note: RebuildNote = {
      view: viewKey(projection),
      state: 'building',
      kind: 'rebuild',
      generation: Math.max(live, ...all) + 1,
      previous: live,
    };
    await putRebuildNote(reads, note);
    return note;
  };

  const build = async (
    target: Target,
    note: RebuildNote,
    live: number,
    lease: HeldLease,
    { onProgress, signal, pace = options.pace }: RebuildOptions,
  ): Promise<RebuildOutcome> => {
    const { projection } = target;
    const { generation } = note;
    const cancel = signal ?? new AbortController().signal;
    // The group's leader may be at it already: two must not fill one generation.
    if (note.state === 'ready') return swapIn(target, generation, live, pace, cancel);
    const track = await openTrack(reads, projection, generation, options.cacheBounds);
    track.halt = null;
    const bench = { events, reads, decode, fence: lease.fence };
    const report = await reporter(target, track, live, onProgress);
    if (!cancel.aborted) await fill(bench, [track], pace, cancel, () => report('building'));
    if (cancel.aborted) return { outcome: 'cancelled', generation };
    if (track.halt !== null) return haltedOutcome(generation, track);
    await deleteHalt(reads, track.generation);
    await putRebuildNote(reads, { ...note, state: 'ready' });
    report('swapping');
    return swapIn(target, generation, live, pace, cancel);
  };

  const reporter = async (
    { projection }: Target,
    track: Track,
    live: number,
    onProgress: RebuildOptions['onProgress'],
  ): Promise<(phase: RebuildProgress['phase']) => void> => {
    if (onProgress === undefined) return () => undefined;
    const liveCheckpoint = await reads.checkpoint({ view: projection, generation: live });
    const expected = liveCheckpoint === null ? 0 : scanned(liveCheckpoint);
    const head = await events.head();
    const startedAt = performance.now();
    const before = scanned(track.checkpoint);
    return (phase) => {
      const done = scanned(track.checkpoint);
      const seconds = (performance.now() - startedAt) / 1_000;
      const eventsPerSecond = seconds > 0 ? (done - before) / seconds : 0;
      const etaSeconds = eventsPerSecond > 0 ? Math.max(0, expected - done) / eventsPerSecond : null;
      onProgress({ phase, events: done, eventsPerSecond, etaSeconds, position: track.position, head });
    };
  };

  /** Waits until the group's leader has swapped, or does it when there is none. */
  const swapIn = async (
    target: Target,
    generation: number,
    previous: number,
    pace: Pace,
    cancel: AbortSignal,
  ): Promise<RebuildOutcome> => {
    const { projection, group } = target;
    for (;;) {
      if ((await reads.generations(projection)).live === generation)
        return { outcome: 'live', generation, previous };
      const halt = await loadHalt(reads, { view: projection, generation });
      if (halt !== null) return { outcome: 'halted', generation, reason: halt.reason };
      if (cancel.aborted) return { outcome: 'cancelled', generation };
      const lease = await holdLease(reads, groupLease(group.name), options.holder, options.leaseTiming);
      if (lease === null) {
        await options.look(group);
        await pause(options.pollMs);
        continue;
      }
      try {
        await swapAlone(target, generation, lease, pace);
      } finally {
        await lease.release();
      }
    }
  };

  const swapAlone = async (
    { projection }: Target,
    generation: number,
    lease: HeldLease,
    pace: Pace,
  ): Promise<void> => {
    const bench = { events, reads, decode, fence: lease.fence };
    const { live } = await reads.generations(projection);
    if (live === generation) return;
    const current = live === null ? null : await openTrack(reads, projection, live, options.cacheBounds);
    const building = await openTrack(reads, projection, generation, options.cacheBounds);
    await goLive(bench, current, building, pace);
  };

  /** Shadows of verifications that were killed, and generations that no rollback can reach. */
  const dropStrays = async (projection: Projection, live: number): Promise<void> => {
    const note = await rebuildNote(reads, projection);
    const { all } = await reads.generations(projection);
    for (const generation of all) {
      const isNoted = generation === note?.generation || generation === note?.previous;
      if (generation !== live && !isNoted) await drop(projection, generation);
    }
  };

  return {
    verify: (target, { signal, pace = options.pace }) =>
      underLease(target, async (lease) => {
        const { projection } = target;
        const live = await liveGeneration(projection);
        await dropStrays(projection, live);
        const { all } = await reads.generations(projection);
        const number = Math.max(...all) + 1;
        const cancel = signal ?? new AbortController().signal;
        const bench = { events, reads, decode, fence: lease.fence };
        try {
          const shadow = await openTrack(reads, projection, number, options.cacheBounds);
          await catchUp(bench, [shadow], pace, cancel);
          return await compareWithShadow(bench, { view: projection, generation: live }, shadow, pace, cancel);
        } finally {
          await drop(projection, number);
        }
      }),
    rebuild: (target, rebuildOptions) =>
      underLease(target, async (lease) => {
        const { projection } = target;
        const live = await liveGeneration(projection);
        const found = await rebuildNote(reads, projection);
        if (isUnderWay(found, live) && found.kind === 'rollback')
          throw new RebuildRefused(`a rollback of ${projection.name} is under way: finish or abandon it`);
        const note = isUnderWay(found, live) ? found : await begin(projection, live);
        return build(target, note, live, lease, rebuildOptions);
      }),
    rollback: (target, rebuildOptions) =>
      underLease(target, async (lease) => {
        const { projection } = target;
        const live = await liveGeneration(projection);
        const found = await rebuildNote(reads, projection);
        const generation = found?.previous ?? null;
        if (isUnderWay(found, live) && found.kind === 'rebuild')
          throw new RebuildRefused(`a rebuild of ${projection.name} is under way: finish or abandon it`);
        if (isUnderWay(found, live)) return build(target, found, live, lease, rebuildOptions);
        const { all } = await reads.generations(projection);
        if (generation === null || generation === live || !all.includes(generation))
          throw new RebuildRefused(`there is no earlier generation of ${projection.name} to go back to`);
        const view = viewKey(projection);
        const note: RebuildNote = { view, state: 'building', kind: 'rollback', generation, previous: live };
        await putRebuildNote(reads, note);
        return build(target, note, live, lease, rebuildOptions);
      }),
    abandon: (target) =>
      underLease(target, async () => {
        const { projection } = target;
        const note = await rebuildNote(reads, projection);
        const { live } = await reads.generations(projection);
        if (!isUnderWay(note, live))
          throw new RebuildRefused(`no rebuild of ${projection.name} is under way`);
        if (note.kind === 'rebuild') {
          await deleteRebuildNote(reads, projection);
          await drop(projection, note.generation);
        } else {
          // The earlier generation stays: it can still be rolled back to.
          await putRebuildNote(reads, {
            ...note,
            state: 'live',
            generation: live ?? note.generation,
            previous: note.generation,
          });
        }
      }),
  };
}

function haltedOutcome(generation: number, track: Track): RebuildOutcome {
  return { outcome: 'halted', generation, reason: track.halt?.reason ?? '' };
}
