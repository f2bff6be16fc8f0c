import { deleteHalt } from './parked.js';
import { writeIdleCheckpoints } from './project-batch.js';
import { openProjectedView, type ProjectedView } from './projected-view.js';
import { isUnderWay, putRebuildNote, rebuildNote, type RebuildNote } from './rebuild-note.js';
import { progressReporter } from './rebuild-progress.js';
import {
  dropOthers,
  isFit,
  refusedBy,
  RebuildRefused,
  type RebuilderOptions,
  type RebuildWork,
} from './rebuild-work.js';
import { viewKey } from './registry.js';
import { sharedBounds, type FillSeat } from './shared-fill.js';
import { swapIn, type RebuildOutcome } from './swap-in.js';

/** Fills a new generation next to the live one, or continues one in progress, and requests the swap. */
export async function rebuild(
  options: RebuilderOptions,
  work: RebuildWork,
  seat: FillSeat,
): Promise<RebuildOutcome> {
  const { projection, live } = work;
  const found = await rebuildNote(options.reads, projection);
  if (isUnderWay(found, live) && found.kind === 'rollback') throw refusedBy(found, projection);
  // A generation that was filled from a log that was reset since is not continued.
  const isGoingOn = isUnderWay(found, live) && (await isFit(options, projection, found.generation));
  return build(options, work, isGoingOn ? found : await begin(options, work), seat);
}

/** Catches up the earlier generation and requests the swap; `wanted` is the generation to go back to, if it was named. */
export async function rollback(
  options: RebuilderOptions,
  work: RebuildWork,
  seat: FillSeat,
  wanted: number | undefined,
): Promise<RebuildOutcome> {
  const { projection, live } = work;
  const { reads } = options;
  const found = await rebuildNote(reads, projection);
  if (isUnderWay(found, live) && found.kind === 'rebuild') throw refusedBy(found, projection);
  const before = found?.previous ?? null;
  const generation = isUnderWay(found, live) ? found.generation : before;
  if (wanted === live) return { outcome: 'live', generation: live, previous: generation ?? live };
  if (wanted !== undefined && wanted !== generation)
    throw new RebuildRefused(`generation ${wanted} of ${projection.name} is not the one before the live one`);
  if (isUnderWay(found, live)) return build(options, work, found, seat);
  const { all } = await reads.generations(projection);
  const isThere = generation !== null && generation !== live && all.includes(generation);
  if (!isThere || !(await isFit(options, projection, generation)))
    throw new RebuildRefused(`there is no earlier generation of ${projection.name} to go back to`);
  const view = viewKey(projection);
  const note: RebuildNote = { view, state: 'building', kind: 'rollback', generation, previous: live };
  await putRebuildNote(reads, note);
  return build(options, work, note, seat);
}

async function begin(options: RebuilderOptions, { projection, live }: RebuildWork): Promise<RebuildNote> {
  const { reads } = options;
  const dropped = await dropOthers(options, projection, live);
  const note: RebuildNote = {
    view: viewKey(projection),
    state: 'building',
    kind: 'rebuild',
    generation: Math.max(live, ...dropped) + 1,
    previous: live,
  };
  await putRebuildNote(reads, note);
  return note;
}

async function build(
  options: RebuilderOptions,
  { projection, lease, live, cancel, onProgress, pace }: RebuildWork,
  note: RebuildNote,
  seat: FillSeat,
): Promise<RebuildOutcome> {
  const { reads } = options;
  const { generation } = note;
  // The group's leader may already fill it: two processes must not fill one generation.
  const swap = { projection, generation, previous: live, lease, pace, cancel };
  if (note.state === 'ready') return swapIn(options, swap);
  const bounds = sharedBounds(options.cacheBounds, seat.seats);
  const view = await openProjectedView(reads, projection, generation, bounds);
  view.halt = null;
  const report = await progressReporter(options, view, live, onProgress);
  const isFilled = await seat.take({ view, lease, pace, bounds, cancel, onBatch: () => report('building') });
  if (!isFilled) return { outcome: 'cancelled', generation };
  if (view.halt !== null) return haltedOutcome(generation, view);
  await deleteHalt(reads, view.generation);
  // The swap starts at its checkpoint: a generation without own events would have to read all history again.
  await writeIdleCheckpoints({ ...options, fence: lease.fence }, [view]);
  await putRebuildNote(reads, { ...note, state: 'ready' });
  report('swapping');
  return swapIn(options, swap).finally(seat.turn);
}

function haltedOutcome(generation: number, view: ProjectedView): RebuildOutcome {
  return { outcome: 'halted', generation, reason: view.halt?.reason ?? '' };
}
