import { StoreUnavailable, type EventStore, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { deleteDrainNote, putDrainNote } from './drain-note.js';
import {
  deleteParkedEvents,
  deleteParkedWorkspace,
  describeFailure,
  nextParkedEvents,
  putParkedWorkspace,
  type Halt,
  type ParkedEvent,
} from './parked.js';
import type { ProjectorContext } from './project-batch.js';
import {
  changedDocuments,
  decodeStep,
  emptySlice,
  foldStep,
  planStep,
  takeLoaded,
  type ViewSlice,
} from './slice.js';
import type { ProjectedView } from './projected-view.js';

/** The result of one step of a drain; `left` says what remains to do. */
export type DrainStep = {
  readonly events: number;
  readonly left: 'more' | 'nothing' | 'refused';
};

/**
 * Folds the next page of a workspace's parked events in order, as far as the folds accept them. From the first
 * refused event on, the workspace stays parked with the new reason. No other process may write the view meanwhile.
 */
export async function drainStep(
  context: ProjectorContext,
  projectedView: ProjectedView,
  workspaceId: string,
): Promise<DrainStep> {
  const parked = await nextParkedEvents(context.reads, projectedView.generation, workspaceId);
  if (parked.length > 0) return drainPage(context, projectedView, workspaceId, parked);
  await deleteParkedWorkspace(context.reads, projectedView.generation, workspaceId);
  projectedView.parked.delete(workspaceId);
  return { events: 0, left: 'nothing' };
}

async function drainPage(
  context: ProjectorContext,
  projectedView: ProjectedView,
  workspaceId: string,
  parked: readonly ParkedEvent[],
): Promise<DrainStep> {
  const { reads } = context;
  const { events, unreadable } = await readParked(context.events, parked);
  const slice = emptySlice(projectedView);
  for (const event of events) planStep(slice, decodeStep(event, context.decode));
  if (slice.missing.length > 0) takeLoaded(slice, await reads.load(projectedView.generation, slice.missing));
  const ours = new Set(parked.map(({ position }) => position));
  let folded = 0;
  let failure = unreadable;
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
  await writeDrained(context, slice, workspaceId, parked.slice(0, folded));
  if (failure !== null) {
    const still = { ...failure, workspaceId };
    await putParkedWorkspace(reads, projectedView.generation, still);
    projectedView.parked.set(workspaceId, still);
  }
  return { events: folded, left: failure === null ? 'more' : 'refused' };
}

/**
 * A document that other workspaces continued to write is past the parked events: folding them now would be out of
 * order, and omitting them would be silently wrong.
 */
function refuseShared(
  slice: ViewSlice,
  keys: readonly string[],
  event: StoredEvent,
  ours: ReadonlySet<string>,
): void {
  for (const key of keys) {
    const position = slice.working.get(key)?.position;
    if (position !== undefined && position >= event.position && !ours.has(position))
      throw new Error(
        `the document ${key} is shared with other workspaces and has changed since: rebuild instead`,
      );
  }
}

async function writeDrained(
  context: ProjectorContext,
  slice: ViewSlice,
  workspaceId: string,
  drained: readonly ParkedEvent[],
): Promise<void> {
  const upTo = drained.at(-1)?.position;
  if (upTo === undefined) return;
  const { projectedView } = slice;
  const { generation, checkpoint: before } = projectedView;
  const checkpoint = {
    ...before,
    applied: before.applied + slice.applied,
    ignored: before.ignored + slice.ignored,
    parked: before.parked - drained.length,
  };
  const documents = changedDocuments(slice);
  context.fence();
  await putDrainNote(context.reads, generation, { workspaceId, upTo, parkedBefore: before.parked });
  await context.reads.write([{ generation, documents, checkpoint }], context.fence());
  projectedView.checkpoint = checkpoint;
  for (const document of documents) projectedView.cache.put(document);
  await deleteParkedEvents(context.reads, generation, workspaceId, drained);
  await deleteDrainNote(context.reads, generation, workspaceId);
}

type ReadEvents = {
  readonly events: readonly StoredEvent[];
  /** Why the event after these cannot be read; null if all were read. */
  readonly unreadable: Halt | null;
};

/** Reads parked events up to the first one that cannot be read. Rejects with `StoreUnavailable`. */
async function readParked(store: EventStore, parked: readonly ParkedEvent[]): Promise<ReadEvents> {
  const events: StoredEvent[] = [];
  const outcomes = await Promise.allSettled(parked.map((event) => readEvent(store, event)));
  for (const [index, event] of parked.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') events.push(outcome.value);
    else if (outcome?.reason instanceof StoreUnavailable) throw outcome.reason;
    else return { events, unreadable: describeFailure(event, outcome?.reason) };
  }
  return { events, unreadable: null };
}

async function readEvent(store: EventStore, { stream, revision }: ParkedEvent): Promise<StoredEvent> {
  for await (const page of store.readStream(stream, { from: BigInt(revision), maxCount: 1 })) {
    const [event] = page;
    if (event !== undefined) return event;
  }
  throw new Error(`the parked event ${revision} of ${stream} is not in the event store`);
}
