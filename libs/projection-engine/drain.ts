import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { deleteDrainNote, putDrainNote } from './drain-note.js';
import {
  deleteParkedEvents,
  deleteParkedWorkspace,
  describeFailure,
  nextParkedEvents,
  putParkedWorkspace,
  type ParkedEvent,
} from './parked.js';
import type { Workbench } from './project-batch.js';
import {
  changedDocuments,
  decodeStep,
  emptySlice,
  foldStep,
  planStep,
  takeLoaded,
  type TrackSlice,
} from './slice.js';
import type { Track } from './track.js';

/** What one step of a drain did; `left` says what there is to do after it. */
export type DrainStep = {
  readonly events: number;
  readonly left: 'more' | 'nothing' | 'refused';
};

/**
 * Folds the next page of a workspace's parked events in order, as far as the folds now take them. From the
 * first that they do not take on, the workspace stays parked with the new reason. The track must not be
 * written by anyone else meanwhile.
 */
export async function drainStep(bench: Workbench, track: Track, workspaceId: string): Promise<DrainStep> {
  const parked = await nextParkedEvents(bench.reads, track.generation, workspaceId);
  if (parked.length > 0) return drainPage(bench, track, workspaceId, parked);
  await deleteParkedWorkspace(bench.reads, track.generation, workspaceId);
  track.parked.delete(workspaceId);
  return { events: 0, left: 'nothing' };
}

async function drainPage(
  bench: Workbench,
  track: Track,
  workspaceId: string,
  parked: readonly ParkedEvent[],
): Promise<DrainStep> {
  const { reads } = bench;
  const events = await Promise.all(parked.map((event) => readParked(bench.events, event)));
  const slice = emptySlice(track);
  for (const event of events) planStep(slice, decodeStep(event, bench.decode));
  if (slice.missing.length > 0) takeLoaded(slice, await reads.load(track.generation, slice.missing));
  const ours = new Set(parked.map(({ position }) => position));
  let folded = 0;
  let failure = null;
  for (const step of slice.steps) {
    try {
      if (step.recorded !== null) refuseShared(slice, step.keys, step.event, ours);
      foldStep(slice, step);
      folded += 1;
    } catch (error) {
      failure = describeFailure(step.event, error);
      break;
    }
  }
  await writeDrained(bench, slice, workspaceId, parked.slice(0, folded));
  if (failure !== null) {
    const still = { ...failure, workspaceId };
    await putParkedWorkspace(reads, track.generation, still);
    track.parked.set(workspaceId, still);
  }
  return { events: folded, left: failure === null ? 'more' : 'refused' };
}

/**
 * A document that other workspaces went on writing has passed the parked events: folding them now would be out
 * of order, and leaving them out would be silently wrong.
 */
function refuseShared(
  slice: TrackSlice,
  keys: readonly string[],
  event: StoredEvent,
  ours: ReadonlySet<string>,
): void {
  for (const key of keys) {
    const position = slice.working.get(key)?.position;
    if (position !== undefined && position >= event.position && !ours.has(position))
      throw new Error(`the document ${key} is shared with other workspaces and has gone on: rebuild instead`);
  }
}

async function writeDrained(
  bench: Workbench,
  slice: TrackSlice,
  workspaceId: string,
  drained: readonly ParkedEvent[],
): Promise<void> {
  const upTo = drained.at(-1)?.position;
  if (upTo === undefined) return;
  const { track } = slice;
  const { generation, checkpoint: before } = track;
  const checkpoint = {
    position: before.position,
    applied: before.applied + slice.applied,
    ignored: before.ignored + slice.ignored,
    parked: before.parked - drained.length,
  };
  const documents = changedDocuments(slice);
  bench.fence();
  await putDrainNote(bench.reads, generation, { workspaceId, upTo, parkedBefore: before.parked });
  await bench.reads.write([{ generation, documents, checkpoint }], bench.fence());
  track.checkpoint = checkpoint;
  for (const document of documents) track.cache.put(document);
  await deleteParkedEvents(bench.reads, generation, workspaceId, drained);
  await deleteDrainNote(bench.reads, generation, workspaceId);
}

async function readParked(events: EventStore, parked: ParkedEvent): Promise<StoredEvent> {
  const from = BigInt(parked.revision);
  for await (const page of events.readStream(parked.stream, { from, maxCount: 1 })) {
    const [event] = page;
    if (event !== undefined) return event;
  }
  throw new Error(`the parked event ${parked.revision} of ${parked.stream} is not in the event store`);
}
