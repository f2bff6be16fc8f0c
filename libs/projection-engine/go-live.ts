import { fitWith } from './fit.js';
import {
  catchUp,
  LogChanged,
  writeIdleCheckpoints,
  type Pace,
  type ProjectorContext,
} from './project-batch.js';
import { putRebuildNote, rebuildNote } from './rebuild-note.js';
import { viewKey } from './registry.js';
import type { ProjectedView } from './projected-view.js';

const NEVER = new AbortController().signal;

/**
 * Points queries at a generation as soon as it has reached the live one; under the group's fence and while
 * nothing else folds, so that the live one stands still. False when an event without a workspace halted it or
 * the rebuild was abandoned meanwhile.
 *
 * Reading to the end of the event store after the live generation stopped means that everything it has seen
 * has been read, also where the two ended on different events: so the position may be taken over, and
 * whoever waited for the old generation finds the same in the new one. Throws `LogChanged` for a generation of a
 * log that is not there any more.
 */
export async function goLive(
  context: ProjectorContext,
  live: ProjectedView | null,
  building: ProjectedView,
  pace: Pace,
): Promise<boolean> {
  await catchUp(context, [building], pace, NEVER);
  if (building.halt !== null) return false;
  // A rebuild may have begun on a log that has been set back since.
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
