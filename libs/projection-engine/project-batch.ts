import { backgroundTurn } from '#kernel/commands/background-turn.js';
import {
  START,
  type EventBatch,
  type EventStore,
  type Position,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import type {
  Checkpoint,
  Fence,
  GuardedDocument,
  ProjectionWrite,
  ReadStore,
} from '#kernel/ports/read-store.port.js';
import { fitWith, markOf } from './fit.js';
import { putHalt, putParkedEvent, putParkedWorkspace } from './parked.js';
import { typesOf } from './registry.js';
import {
  changedDocuments,
  emptySlice,
  foldSlice,
  planSlice,
  routesOf,
  takeLoaded,
  type Decode,
  type Routes,
  type Takes,
  type ViewSlice,
} from './slice.js';
import { oldestPosition, type ProjectedView } from './projected-view.js';

/** The dependencies of folding; `fence` proves the lease at each write and throws `LeaseLost` without it. */
export type ProjectorContext = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly decode: Decode;
  readonly fence: () => Fence;
  /** The events that views fold; absent: all. */
  readonly takes?: Takes | undefined;
  /** Traces slices of newly appended events; absent when history is read again. */
  readonly aroundSlice?: AroundSlice | undefined;
};

/** Runs the work of one slice, so that a trace can show it. */
export type AroundSlice = <Result>(
  events: readonly StoredEvent[],
  work: () => Promise<Result>,
) => Promise<Result>;

/** How much is folded before other work of the event loop runs. */
export type Pace = {
  /** The maximum time that a slice may block the event loop. */
  readonly sliceMs: number;
  readonly maxSliceEvents: number;
  /** A slice ends with the event that brings it to so many documents; absent: they are not counted. */
  readonly maxSliceDocuments?: number;
  /** No other work of this process needs the stores, so they may be locked for longer than a slice. */
  readonly isAlone?: boolean;
  /** Replaces the time that the loop was blocked: the longest time that other writers waited since the last call. */
  readonly heldMs?: () => number;
};

/** A slice size that adapts to the duration of slices. */
export type SliceSize = {
  /** The most events of the next slice. */
  readonly next: () => number;
  readonly mostDocuments: number;
  /** Reports how long a slice of this many events blocked the loop, and its total duration. */
  readonly took: (time: { readonly busyMs: number; readonly ms: number }, events: number) => void;
};

const SMALLEST_SLICE = 16;
/** A slow store gets smaller slices, because readers that wait for their own writes wait for whole slices. */
const LONG_SLICE_MS = 500;

export function sliceSize({ sliceMs, maxSliceEvents, maxSliceDocuments, heldMs }: Pace): SliceSize {
  let size = Math.min(64, maxSliceEvents);
  return {
    next: () => size,
    mostDocuments: maxSliceDocuments ?? Infinity,
    took: ({ busyMs, ms }, events) => {
      const load = Math.max((heldMs?.() ?? busyMs) / sliceMs, ms / LONG_SLICE_MS);
      if (load > 1) size = Math.max(SMALLEST_SLICE, Math.floor(size / 2));
      else if (load < 1 / 2 && events >= size) size = Math.min(maxSliceEvents, size * 2);
    },
  };
}

/**
 * Folds a batch into its projected views in slices, and lets other work run between two slices. Each slice is written
 * with its checkpoints before the next one begins. `afterSlice` may end the batch early: written slices are complete.
 */
export async function projectBatch(
  context: ProjectorContext,
  routes: Routes,
  projectedViews: readonly ProjectedView[],
  batch: EventBatch,
  size: SliceSize,
  afterSlice: () => Promise<'go on' | 'stop'>,
): Promise<void> {
  const { events, position, caughtUp } = batch;
  let from = 0;
  do {
    const startedAt = performance.now();
    const most = from + size.next();
    const next = from === 0 && most >= events.length ? events : events.slice(from, most);
    const planned = planSlice(routes, next, size.mostDocuments, context.decode, context.takes);
    const planningMs = performance.now() - startedAt;
    const slice = planned.events;
    from += slice.length;
    const isLast = from === events.length;
    const last = slice.at(-1);
    const reached = { end: isLast ? position : (last?.position ?? position), last: last ?? null };
    const project = (): Promise<number> =>
      projectSlice(context, planned.slices, projectedViews, reached, isLast && caughtUp);
    const busyMs = planningMs + (await (context.aroundSlice?.(slice, project) ?? project()));
    size.took({ busyMs, ms: performance.now() - startedAt }, slice.length);
    if ((await afterSlice()) === 'stop') return;
    if (!isLast) await backgroundTurn();
  } while (from < events.length);
}

/** The end of a slice: the position up to which the log was read, and the last event of the slice. */
type Reached = { readonly end: Position; readonly last: StoredEvent | null };

async function projectSlice(
  context: ProjectorContext,
  slices: readonly ViewSlice[],
  projectedViews: readonly ProjectedView[],
  reached: Reached,
  settled: boolean,
): Promise<number> {
  const loading = slices.filter(({ missing }) => missing.length > 0);
  let busyMs = loading.length > 0 ? await loadMissing(context.reads, loading) : 0;
  const folding = performance.now();
  for (const slice of slices) foldSlice(slice);
  const plan = planWrites(slices, projectedViews, reached.last);
  busyMs += performance.now() - folding;
  await setAside(context, slices);
  if (plan.writes.length > 0) {
    const writing = performance.now();
    const written = context.reads.write(plan.writes, context.fence());
    // An embedded store has finished here. The time of a server does not block the loop.
    busyMs += performance.now() - writing;
    await written;
  }
  await takeOver(context.reads, slices, plan, projectedViews, reached.end, settled);
  return busyMs;
}

async function loadMissing(reads: ReadStore, slices: readonly ViewSlice[]): Promise<number> {
  const asking = performance.now();
  const loads = slices.map(({ projectedView, missing }) => reads.load(projectedView.generation, missing));
  const busyMs = performance.now() - asking;
  const loaded = await Promise.all(loads);
  loaded.forEach((documents, index) => {
    const slice = slices[index];
    if (slice !== undefined) takeLoaded(slice, documents);
  });
  return busyMs;
}

type WritePlan = {
  readonly writes: readonly ProjectionWrite[];
  readonly checkpoints: ReadonlyMap<ProjectedView, Checkpoint>;
  readonly documents: ReadonlyMap<ProjectedView, readonly GuardedDocument[]>;
};

/** A checkpoint names an own event, because only an event can be compared with the log later. */
function planWrites(
  slices: readonly ViewSlice[],
  projectedViews: readonly ProjectedView[],
  last: StoredEvent | null,
): WritePlan {
  const checkpoints = new Map<ProjectedView, Checkpoint>();
  const documents = new Map<ProjectedView, readonly GuardedDocument[]>();
  const writes = slices.map((slice): ProjectionWrite => {
    const { projectedView } = slice;
    const checkpoint = nextCheckpoint(slice, slice.halt === null ? last : slice.last);
    const changed = changedDocuments(slice);
    checkpoints.set(projectedView, checkpoint);
    documents.set(projectedView, changed);
    return { generation: projectedView.generation, documents: changed, checkpoint };
  });
  for (const projectedView of projectedViews) {
    if (
      last === null ||
      !projectedView.trailing ||
      checkpoints.has(projectedView) ||
      projectedView.halt !== null
    )
      continue;
    if (last.position <= projectedView.position) continue;
    const checkpoint = nextCheckpoint(emptySlice(projectedView), last);
    checkpoints.set(projectedView, checkpoint);
    writes.push({ generation: projectedView.generation, documents: [], checkpoint });
  }
  return { writes, checkpoints, documents };
}

function nextCheckpoint(
  { projectedView, applied, ignored, parkedEvents }: ViewSlice,
  last: StoredEvent | null,
): Checkpoint {
  const { checkpoint } = projectedView;
  const isFurther = last !== null && last.position > checkpoint.position;
  return {
    ...(isFurther ? { ...checkpoint, position: last.position, event: markOf(last) } : checkpoint),
    applied: checkpoint.applied + applied,
    ignored: checkpoint.ignored + ignored,
    parked: checkpoint.parked + parkedEvents.length,
  };
}

/** Parks events that cannot be folded before the checkpoint passes them. */
async function setAside(context: ProjectorContext, slices: readonly ViewSlice[]): Promise<void> {
  for (const { projectedView, newlyParked, parkedEvents } of slices) {
    if (parkedEvents.length === 0) continue;
    context.fence();
    const { reads } = context;
    await Promise.all(
      [...newlyParked.values()].map((parked) => putParkedWorkspace(reads, projectedView.generation, parked)),
    );
    await Promise.all(
      parkedEvents.map(({ workspaceId, event }) =>
        putParkedEvent(reads, projectedView.generation, workspaceId, event),
      ),
    );
  }
}

async function takeOver(
  reads: ReadStore,
  slices: readonly ViewSlice[],
  { checkpoints, documents }: WritePlan,
  projectedViews: readonly ProjectedView[],
  end: Position,
  settled: boolean,
): Promise<void> {
  for (const slice of slices) {
    const { projectedView } = slice;
    for (const document of documents.get(projectedView) ?? []) projectedView.cache.put(document);
    for (const [workspaceId, parked] of slice.newlyParked) projectedView.parked.set(workspaceId, parked);
    if (slice.halt !== null) {
      projectedView.halt = slice.halt;
      projectedView.position = slice.last?.position ?? projectedView.position;
      await putHalt(reads, projectedView.generation, slice.halt);
    }
    projectedView.trailing = true;
  }
  for (const projectedView of projectedViews) {
    projectedView.checkpoint = checkpoints.get(projectedView) ?? projectedView.checkpoint;
    if (projectedView.halt === null && projectedView.position < end) projectedView.position = end;
    if (settled || projectedView.halt !== null) projectedView.trailing = false;
  }
}

/**
 * Writes the checkpoints of projected views that have passed only events of other views since their last own event, and
 * adds the event to checkpoints of earlier versions.
 */
export async function writeIdleCheckpoints(
  context: ProjectorContext,
  projectedViews: readonly ProjectedView[],
): Promise<void> {
  const lookedUp = new Map<Position, StoredEvent | null>();
  const next: { readonly projectedView: ProjectedView; readonly checkpoint: Checkpoint }[] = [];
  for (const projectedView of projectedViews) {
    const { checkpoint, position } = projectedView;
    const isNamed = checkpoint.event !== undefined || checkpoint.position === START;
    if (projectedView.settledAt === position || (isNamed && checkpoint.position >= position)) continue;
    const known = lookedUp.get(position);
    const last = known === undefined ? await context.events.lastEvent(position, 'lasting') : known;
    lookedUp.set(position, last);
    // The server may hold only its own records after our last event, so the last event is looked up once.
    projectedView.settledAt = position;
    if (last === null || last.position < checkpoint.position) continue;
    if (last.position === checkpoint.position && isNamed) continue;
    next.push({ projectedView, checkpoint: { ...checkpoint, position: last.position, event: markOf(last) } });
  }
  if (next.length === 0) return;
  await context.reads.write(
    next.map(({ projectedView, checkpoint }) => ({
      generation: projectedView.generation,
      documents: [],
      checkpoint,
    })),
    context.fence(),
  );
  for (const { projectedView, checkpoint } of next) projectedView.checkpoint = checkpoint;
}

/**
 * Projects the events from the checkpoints of the projected views up to the end of the event store. Stops early, between
 * two slices, if the signal aborts or all projected views are halted.
 */
export async function catchUp(
  context: ProjectorContext,
  projectedViews: readonly ProjectedView[],
  pace: Pace,
  signal: AbortSignal,
  onBatch?: () => void | Promise<void>,
): Promise<void> {
  const size = sliceSize(pace);
  const routes = routesOf(projectedViews);
  const isOver = (): boolean => signal.aborted || projectedViews.every(({ halt }) => halt !== null);
  for (let isRead = false; !isRead;) {
    isRead = true;
    const reading = context.events.readAll({
      after: oldestPosition(projectedViews),
      types: typesOf(projectedViews.map(({ projection }) => projection)),
      batchSize: Math.max(READ_BATCH, pace.maxSliceEvents),
    });
    for await (const batch of reading) {
      if (batch.resumed === true) {
        await returnToCheckpoints(context, projectedViews);
        isRead = false;
        break;
      }
      await projectBatch(context, routes, projectedViews, batch, size, async () =>
        isOver() ? 'stop' : 'go on',
      );
      await onBatch?.();
      if (isOver()) return;
      await backgroundTurn();
    }
  }
}

/** A log mismatch: the log has another event or none at the checkpoint of a projected view. */
export class LogChanged extends Error {
  constructor() {
    super('the event store was restored to an older log, or is another store');
    this.name = 'LogChanged';
  }
}

/**
 * After a lost connection the log may be another one. Projected views continue from their checkpoints, because the
 * events after the checkpoints may have changed. Throws `LogChanged` on a log mismatch.
 */
export async function returnToCheckpoints(
  context: ProjectorContext,
  projectedViews: readonly ProjectedView[],
): Promise<void> {
  const fits = fitWith(context.events);
  for (const projectedView of projectedViews) {
    if (!(await fits(projectedView.checkpoint))) throw new LogChanged();
    projectedView.position = projectedView.checkpoint.position;
    projectedView.settledAt = null;
  }
}

const READ_BATCH = 500;
