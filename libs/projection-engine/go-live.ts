import { catchUpTo } from './catch-up-to.js';
import { fitWith } from './fit.js';
import { LogChanged, writeIdleCheckpoints, type Pace, type ProjectorContext } from './project-batch.js';
import { putRebuildNote, rebuildNote } from './rebuild-note.js';
import { viewKey } from './registry.js';
import type { ProjectedView } from './projected-view.js';

const NEVER = new AbortController().signal;

/**
 * Points queries at a generation as soon as it has reached the live one. Runs under the group's fence and while
 * nothing else folds, so the live generation does not move. False if an event without a workspace halted it or the
 * rebuild was abandoned meanwhile. Reading to the position of the live generation after that has stopped, or to the end of
 * the event store, proves that everything it has seen was read, even if the two end at different events. Events after
 * that position are left to the next slices: nothing is projected until this ends. The position may therefore be taken
 * over, and a reader that waited for the old generation finds the same in the new one. Throws `LogChanged` for a
 * generation of a log that no longer exists.
 */
export async function goLive(
  context: ProjectorContext,
  live: ProjectedView | null,
  building: ProjectedView,
  pace: Pace,
): Promise<boolean> {
  const end = live?.position ?? (await context.events.head());
  await catchUpTo(end, context, [building], pace, NEVER);
  if (building.halt !== null) return false;
  // A rebuild may have begun on a log that was reset since.
  if (!(await fitWith(context.events)(building.checkpoint))) throw new LogChanged();
  const { generation } = building;
  const note = await rebuildNote(context.reads, generation.view);
  const isNoted = note !== null && note.generation === generation.generation && note.state === 'ready';
  if (live !== null && !isNoted) return false;
  if (live !== null && building.position < live.position) building.position = live.position;
  await writeIdleCheckpoints(context, [building]);
  await context.reads.makeLive(generation, context.fence());
  if (isNoted && note !== null) {
    const previous = live?.generation.generation ?? null;
    await putRebuildNote(context.reads, { ...note, view: viewKey(generation.view), state: 'live', previous });
  }
  return true;
}
