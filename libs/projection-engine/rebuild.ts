import type { Projection } from '#kernel/projections/projection.js';
import { fill } from './fill.js';
import { fitWith } from './fit.js';
import { holdLease, type HeldLease } from './held-lease.js';
import { deleteHalt, dropGeneration } from './parked.js';
import { catchUp, type Pace } from './project-batch.js';
import {
  deleteRebuildNote,
  isUnderWay,
  putRebuildNote,
  rebuildNote,
  type RebuildNote,
} from './rebuild-note.js';
import { cancellable, requestCancel } from './rebuild-cancel.js';
import { progressReporter, type RebuildProgress } from './rebuild-progress.js';
import { viewKey } from './registry.js';
import { swapIn, type RebuildOutcome, type RebuildTarget, type SwapOptions } from './swap-in.js';
import { openProjectedView, type ProjectedView } from './projected-view.js';
import { compareWithShadow, type Verification } from './verify.js';

export type RebuildOptions = {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Stops between two slices; what is built stays, and the next rebuild goes on with it. */
  readonly signal?: AbortSignal;
  /** Time a slice may keep the process's loop busy: more where nothing else runs in the process. */
  readonly pace?: Pace;
};

export type RebuilderOptions = SwapOptions & { readonly pace: Pace };

/** A rebuild, rollback or abandon that cannot be had now; nothing was changed. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

export type Rebuilder = {
  readonly rebuild: (target: RebuildTarget, options: RebuildOptions) => Promise<RebuildOutcome>;
  readonly rollback: (target: RebuildTarget, options: RebuildOptions) => Promise<RebuildOutcome>;
  readonly abandon: (target: RebuildTarget) => Promise<void>;
  readonly cancel: (target: RebuildTarget) => Promise<void>;
  readonly verify: (target: RebuildTarget, options: RebuildOptions) => Promise<Verification>;
};

/** Fills generations beside the live ones, under a lease a projection of their own, and has them swapped in. */
export function rebuilder(options: RebuilderOptions): Rebuilder {
  const { events, reads, decode } = options;

  const leaseOf = ({ projection }: RebuildTarget): Promise<HeldLease | null> =>
    holdLease(reads, `rebuild:${viewKey(projection)}`, options.holder, options.leaseTiming);

  const underLease = async <Result>(
    target: RebuildTarget,
    signal: AbortSignal | undefined,
    work: (lease: HeldLease, cancel: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const { projection } = target;
    const lease = await leaseOf(target);
    if (lease === null)
      throw new RebuildRefused(`${projection.name} is being rebuilt or verified by another process`);
    try {
      return await cancellable(reads, projection, signal, (cancel) => work(lease, cancel));
    } finally {
      await lease.release();
    }
  };

  const liveGeneration = async (projection: Projection): Promise<number> => {
    const { live } = await reads.generations(projection);
    if (live === null) throw new RebuildRefused(`${projection.name} has not caught up the first time yet`);
    return live;
  };

  const drop = (projection: Projection, generation: number): Promise<void> =>
    dropGeneration(reads, { view: projection, generation });

  const isFit = async (projection: Projection, generation: number): Promise<boolean> =>
    fitWith(events)(await reads.checkpoint({ view: projection, generation }));

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
    target: RebuildTarget,
    note: RebuildNote,
    live: number,
    lease: HeldLease,
    { onProgress, pace = options.pace }: RebuildOptions,
    cancel: AbortSignal,
  ): Promise<RebuildOutcome> => {
    const { projection } = target;
    const { generation } = note;
    // The group's leader may be at it already: two must not fill one generation.
    if (note.state === 'ready') return swapIn(options, target, generation, live, pace, cancel);
    const projectedView = await openProjectedView(reads, projection, generation, options.cacheBounds);
    projectedView.halt = null;
    const context = { events, reads, decode, fence: lease.fence };
    const report = await progressReporter(options, projectedView, live, onProgress);
    if (!cancel.aborted) await fill(context, [projectedView], pace, cancel, () => report('building'));
    if (cancel.aborted) return { outcome: 'cancelled', generation };
    if (projectedView.halt !== null) return haltedOutcome(generation, projectedView);
    await deleteHalt(reads, projectedView.generation);
    await putRebuildNote(reads, { ...note, state: 'ready' });
    report('swapping');
    return swapIn(options, target, generation, live, pace, cancel);
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
    verify: (target, { signal, onProgress, pace = options.pace }) =>
      underLease(target, signal, async (lease, cancel) => {
        const { projection } = target;
        const live = await liveGeneration(projection);
        await dropStrays(projection, live);
        const { all } = await reads.generations(projection);
        const number = Math.max(...all) + 1;
        const context = { events, reads, decode, fence: lease.fence };
        try {
          const shadow = await openProjectedView(reads, projection, number, options.cacheBounds);
          const report = await progressReporter(options, shadow, live, onProgress);
          await catchUp(context, [shadow], pace, cancel, () => report('building'));
          report('comparing');
          return await compareWithShadow(
            context,
            { view: projection, generation: live },
            shadow,
            pace,
            cancel,
          );
        } finally {
          await drop(projection, number);
        }
      }),
    rebuild: (target, rebuildOptions) =>
      underLease(target, rebuildOptions.signal, async (lease, cancel) => {
        const { projection } = target;
        const live = await liveGeneration(projection);
        const found = await rebuildNote(reads, projection);
        if (isUnderWay(found, live) && found.kind === 'rollback')
          throw new RebuildRefused(`A rollback of ${projection.name} is under way: finish or abandon it`);
        // What was filled from a log that has been set back since is not gone on with.
        const isGoingOn = isUnderWay(found, live) && (await isFit(projection, found.generation));
        const note = isGoingOn ? found : await begin(projection, live);
        return build(target, note, live, lease, rebuildOptions, cancel);
      }),
    rollback: (target, rebuildOptions) =>
      underLease(target, rebuildOptions.signal, async (lease, cancel) => {
        const { projection } = target;
        const live = await liveGeneration(projection);
        const found = await rebuildNote(reads, projection);
        const generation = found?.previous ?? null;
        if (isUnderWay(found, live) && found.kind === 'rebuild')
          throw new RebuildRefused(`A rebuild of ${projection.name} is under way: finish or abandon it`);
        if (isUnderWay(found, live)) return build(target, found, live, lease, rebuildOptions, cancel);
        const { all } = await reads.generations(projection);
        const isThere = generation !== null && generation !== live && all.includes(generation);
        if (!isThere || !(await isFit(projection, generation)))
          throw new RebuildRefused(`there is no earlier generation of ${projection.name} to go back to`);
        const view = viewKey(projection);
        const note: RebuildNote = { view, state: 'building', kind: 'rollback', generation, previous: live };
        await putRebuildNote(reads, note);
        return build(target, note, live, lease, rebuildOptions, cancel);
      }),
    cancel: async (target) => {
      const lease = await leaseOf(target);
      if (lease === null) return requestCancel(reads, target.projection);
      await lease.release();
      throw new RebuildRefused(`${target.projection.name} is neither being rebuilt nor verified`);
    },
    abandon: (target) =>
      underLease(target, undefined, async () => {
        const { projection } = target;
        const note = await rebuildNote(reads, projection);
        const { live } = await reads.generations(projection);
        if (!isUnderWay(note, live))
          throw new RebuildRefused(`No rebuild of ${projection.name} is under way`);
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

function haltedOutcome(generation: number, projectedView: ProjectedView): RebuildOutcome {
  return { outcome: 'halted', generation, reason: projectedView.halt?.reason ?? '' };
}
