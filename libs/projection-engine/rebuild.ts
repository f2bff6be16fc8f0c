import { rebuild, rollback } from './build-generation.js';
import { holdLease, processHolder, type HeldLease } from './held-lease.js';
import { cancellable, requestCancel } from './rebuild-cancel.js';
import { deleteRebuildNote, isUnderWay, putRebuildNote, rebuildNote } from './rebuild-note.js';
import {
  drop,
  liveGeneration,
  RebuildRefused,
  type RebuilderOptions,
  type RebuildOptions,
  type RebuildWork,
} from './rebuild-work.js';
import { viewKey } from './registry.js';
import { sharedFill } from './shared-fill.js';
import type { RebuildOutcome, RebuildTarget } from './swap-in.js';
import { verifyLive } from './verify-live.js';
import type { Verification } from './verify.js';

export type Rebuilder = {
  /** The number of generations that are filled together once all of them were called. */
  readonly rebuilds: (
    count: number,
  ) => (target: RebuildTarget, options: RebuildOptions) => Promise<RebuildOutcome>;
  readonly rollback: (target: RebuildTarget, options: RebuildOptions) => Promise<RebuildOutcome>;
  readonly abandon: (target: RebuildTarget) => Promise<void>;
  readonly cancel: (target: RebuildTarget) => Promise<void>;
  readonly verify: (target: RebuildTarget, options: RebuildOptions) => Promise<Verification>;
};

/** Fills generations next to the live ones, each under a lease of its own, and requests the swap. */
export function rebuilder(options: RebuilderOptions): Rebuilder {
  const { reads } = options;

  const leaseOf = ({ projection }: RebuildTarget): Promise<HeldLease | null> =>
    // Each rebuild is its own holder: a second request of one process is another holder for the store, too.
    holdLease(reads, `rebuild:${viewKey(projection)}`, processHolder(), options.leaseTiming);

  async function underLease<Result>(
    target: RebuildTarget,
    signal: AbortSignal | undefined,
    work: (lease: HeldLease, cancel: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { projection } = target;
    const lease = await leaseOf(target);
    if (lease === null)
      throw new RebuildRefused(`${projection.name} is being rebuilt or verified by another process`);
    try {
      return await cancellable(reads, projection, signal, (cancel) => work(lease, cancel));
    } finally {
      await lease.release();
    }
  }

  /** Work on a projection that has a live generation. */
  const besideLive =
    <Result>(act: (options: RebuilderOptions, work: RebuildWork) => Promise<Result>) =>
    (target: RebuildTarget, { signal, onProgress, pace = options.pace }: RebuildOptions): Promise<Result> =>
      underLease(target, signal, async (lease, cancel) => {
        const live = await liveGeneration(options, target.projection);
        return act(options, { target, lease, live, cancel, onProgress, pace });
      });

  return {
    verify: besideLive(verifyLive),
    rebuilds(count) {
      const seats = sharedFill(options, count);
      return async (target, rebuildOptions) => {
        const seat = seats();
        await seat.turn();
        const build = besideLive((parts, work) => rebuild(parts, work, seat));
        return build(target, rebuildOptions).finally(seat.giveUp);
      };
    },
    rollback: besideLive((parts, work) => rollback(parts, work, sharedFill(options, 1)())),
    async cancel(target) {
      const lease = await leaseOf(target);
      if (lease === null) return requestCancel(reads, target.projection);
      await lease.release();
      throw new RebuildRefused(`${target.projection.name} is neither being rebuilt nor verified`);
    },
    abandon: (target) => underLease(target, undefined, () => abandon(options, target)),
  };
}

async function abandon(options: RebuilderOptions, { projection }: RebuildTarget): Promise<void> {
  const { reads } = options;
  const note = await rebuildNote(reads, projection);
  const { live } = await reads.generations(projection);
  if (!isUnderWay(note, live)) throw new RebuildRefused(`No rebuild of ${projection.name} is under way`);
  if (note.kind === 'rebuild') {
    await deleteRebuildNote(reads, projection);
    await drop(options, projection, note.generation);
  } else {
    // The earlier generation stays: it can still be rolled back to.
    await putRebuildNote(reads, {
      ...note,
      state: 'live',
      generation: live ?? note.generation,
      previous: note.generation,
    });
  }
}
