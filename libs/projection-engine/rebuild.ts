import { LeaseLost, type ViewShape } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { rebuild, rollback } from './build-generation.js';
import { dropFormerVersions, dropUnknownViews } from './former-versions.js';
import { holdLease, livingHolder, processHolder, type HeldLease } from './held-lease.js';
import { cancellable, requestCancel } from './rebuild-cancel.js';
import { deleteRebuildNote, isUnderWay, putRebuildNote, rebuildNote } from './rebuild-note.js';
import {
  drop,
  dropOthers,
  dropStrays,
  liveGeneration,
  refusedBy,
  RebuildRefused,
  serviceStops,
  type RebuilderOptions,
  type RebuildOptions,
  type RebuildWork,
  type RollbackOptions,
} from './rebuild-work.js';
import { viewKey } from './registry.js';
import { sharedFill } from './shared-fill.js';
import type { RebuildOutcome } from './swap-in.js';
import { verifyLive } from './verify-live.js';

/** Fills generations next to the live ones, each under a lease of its own, and requests the swap. */
export function rebuilder(options: RebuilderOptions) {
  const { reads } = options;
  const stopping = new AbortController();

  // Each rebuild is its own holder: a second request of one process is another holder for the store, too.
  const leaseOf = (view: ViewShape): Promise<HeldLease | null> =>
    holdLease(reads, leaseName(view), processHolder(), options.leaseTiming);

  async function underLease<Result>(
    view: ViewShape,
    work: (lease: HeldLease, cancel: AbortSignal) => Promise<Result>,
    signal: AbortSignal = NEVER,
  ): Promise<Result> {
    const lease = await leaseOf(view);
    if (lease === null)
      throw new RebuildRefused(`${view.name} is being rebuilt or verified by another process`);
    try {
      const asked = AbortSignal.any([signal, stopping.signal]);
      return await cancellable(reads, view, asked, (cancel) => work(lease, cancel));
    } catch (error) {
      throw error instanceof LeaseLost ? lostBy(view) : error;
    } finally {
      await lease.release();
    }
  }

  /** A rebuild that ended because the process stops is no cancelled one: nobody asked for that. */
  const unlessStopped = async (rebuilding: Promise<RebuildOutcome>): Promise<RebuildOutcome> => {
    const result = await rebuilding;
    if (result.outcome === 'cancelled') stopping.signal.throwIfAborted();
    return result;
  };

  /** Work on a projection that has a live generation. */
  const besideLive =
    <Result>(act: (options: RebuilderOptions, work: RebuildWork) => Promise<Result>) =>
    (projection: Projection, { signal, onProgress, pace = options.pace }: RebuildOptions): Promise<Result> =>
      underLease(
        projection,
        async (lease, cancel) => {
          const live = await liveGeneration(options, projection);
          return act(options, { projection, lease, live, cancel, onProgress, pace });
        },
        signal,
      );

  return {
    verify: besideLive(verifyLive),
    /** The number of generations that are filled together, after all were called. */
    rebuilds(count: number): (projection: Projection, options: RebuildOptions) => Promise<RebuildOutcome> {
      const seats = sharedFill(options, count);
      return async (projection, rebuildOptions) => {
        const seat = seats();
        await seat.turn();
        const build = besideLive((parts, work) => rebuild(parts, work, seat));
        return unlessStopped(build(projection, rebuildOptions)).finally(seat.giveUp);
      };
    },
    rollback: (projection: Projection, rollbackOptions: RollbackOptions): Promise<RebuildOutcome> => {
      const { generation } = rollbackOptions;
      const goBack = besideLive((parts, work) => rollback(parts, work, sharedFill(options, 1)(), generation));
      return unlessStopped(goBack(projection, rollbackOptions));
    },
    async cancel(projection: Projection): Promise<void> {
      // The lease is not taken: a rebuild that begins at the same time would find it held.
      if (livingHolder(await reads.lease(leaseName(projection))) === null)
        throw new RebuildRefused(`${projection.name} is neither being rebuilt nor verified`);
      await requestCancel(reads, projection);
    },
    abandon: (projection: Projection): Promise<void> =>
      underLease(projection, () => abandon(options, projection)),
    /** Also removes earlier versions, which only a process of an earlier version needs. */
    prune: async (projection: Projection): Promise<number> => {
      const generations = await besideLive(prune)(projection, {});
      const ofFormer = await dropFormerVersions(reads, options.groupName, projection, underLease);
      return generations + ofFormer;
    },
    /** Removes the views whose names this program does not have. */
    pruneUnknown: (knownNames: readonly string[]): Promise<ReadonlyMap<string, number>> =>
      dropUnknownViews(reads, options.groupName, knownNames, underLease),
    /** Ends all work between two slices; its callers get `StoreUnavailable`. */
    stop: (): void => stopping.abort(serviceStops()),
  };
}

const NEVER = new AbortController().signal;

const leaseName = (view: ViewShape): string => `rebuild:${viewKey(view)}`;

/** Other work may have begun meanwhile. What is written stays. */
const lostBy = ({ name }: ViewShape): RebuildRefused =>
  new RebuildRefused(
    `The work on ${name} stopped, because this process or the read store did not answer for some seconds: start it again`,
  );

async function abandon(options: RebuilderOptions, projection: Projection): Promise<void> {
  const { reads } = options;
  const note = await rebuildNote(reads, projection);
  const { live } = await reads.generations(projection);
  if (!isUnderWay(note, live)) {
    // An earlier call was killed after it had removed the note.
    if (live !== null && (await dropStrays(options, projection, live)) > 0) return;
    throw new RebuildRefused(`No rebuild of ${projection.name} is under way`);
  }
  if (note.kind === 'rebuild') {
    await deleteRebuildNote(reads, projection);
    if (await drop(options, projection, note.generation)) return;
    // The leader had read the note before: a rollback returns to the generation that was live until now.
    await putRebuildNote(reads, { ...note, state: 'live', previous: live });
    throw new RebuildRefused(`The rebuild of ${projection.name} went live meanwhile`);
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

/** Returns the number of removed generations. */
async function prune(options: RebuilderOptions, { projection, live }: RebuildWork): Promise<number> {
  const { reads } = options;
  const note = await rebuildNote(reads, projection);
  if (isUnderWay(note, live)) throw refusedBy(note, projection);
  // Without a note no rollback looks for a former generation.
  await deleteRebuildNote(reads, projection);
  const dropped = await dropOthers(options, projection, live);
  return dropped.length;
}
