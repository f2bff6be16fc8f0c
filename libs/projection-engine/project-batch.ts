import { setImmediate } from 'node:timers/promises';
import type { EventBatch, EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import type {
  Checkpoint,
  Fence,
  GuardedDocument,
  ProjectionWrite,
  ReadStore,
} from '#kernel/ports/read-store.port.js';
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
  type TrackSlice,
} from './slice.js';
import { oldestPosition, type Track } from './track.js';

/** What folding needs from outside; `fence` proves the lease at each write and throws `LeaseLost` without it. */
export type Workbench = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly decode: Decode;
  readonly fence: () => Fence;
};

/** How much is done in one go before the loop belongs to others again. */
export type Pace = {
  /** Time that a slice may keep the loop busy. */
  readonly sliceMs: number;
  readonly maxSliceEvents: number;
};

/** A slice size that follows the time slices take. */
export type SliceSize = {
  readonly next: () => number;
  /** How long a slice of so many events kept the loop busy, and how long it was waited for altogether. */
  readonly took: (time: { readonly busyMs: number; readonly ms: number }, events: number) => void;
};

const SMALLEST_SLICE = 16;
/** A store that needs longer gets less at a time: those who read what they wrote wait for whole slices. */
const LONG_SLICE_MS = 500;

export function sliceSize({ sliceMs, maxSliceEvents }: Pace): SliceSize {
  let size = Math.min(64, maxSliceEvents);
  return {
    next: () => size,
    took: ({ busyMs, ms }, events) => {
      const load = Math.max(busyMs / sliceMs, ms / LONG_SLICE_MS);
      if (load > 1) size = Math.max(SMALLEST_SLICE, Math.floor(size / 2));
      else if (load < 1 / 2 && events >= size) size = Math.min(maxSliceEvents, size * 2);
    },
  };
}

/**
 * Folds a batch into its tracks in slices, each written with its checkpoints before the next is begun, and lets
 * others run in between. `afterSlice` may end it early: every slice written is complete in itself.
 */
export async function projectBatch(
  bench: Workbench,
  routes: Routes,
  tracks: readonly Track[],
  batch: EventBatch,
  size: SliceSize,
  afterSlice: () => Promise<'go on' | 'stop'>,
): Promise<void> {
  const { events, position, caughtUp } = batch;
  let from = 0;
  do {
    const until = Math.min(events.length, from + size.next());
    const slice = from === 0 && until === events.length ? events : events.slice(from, until);
    const isLast = until === events.length;
    const end = isLast ? position : (slice.at(-1)?.position ?? position);
    const startedAt = performance.now();
    const busyMs = await projectSlice(bench, routes, tracks, slice, end, isLast && caughtUp);
    size.took({ busyMs, ms: performance.now() - startedAt }, slice.length);
    from = until;
    if ((await afterSlice()) === 'stop') return;
    if (!isLast) await setImmediate();
  } while (from < events.length);
}

async function projectSlice(
  bench: Workbench,
  routes: Routes,
  tracks: readonly Track[],
  events: readonly StoredEvent[],
  end: Position,
  settled: boolean,
): Promise<number> {
  const planning = performance.now();
  const slices = planSlice(routes, events, bench.decode);
  const loading = slices.filter(({ missing }) => missing.length > 0);
  let busyMs = performance.now() - planning;
  if (loading.length > 0) busyMs += await loadMissing(bench.reads, loading);
  const folding = performance.now();
  for (const slice of slices) foldSlice(slice);
  const plan = planWrites(slices, tracks, end);
  busyMs += performance.now() - folding;
  await setAside(bench, slices);
  if (plan.writes.length > 0) {
    const writing = performance.now();
    const written = bench.reads.write(plan.writes, bench.fence());
    // An embedded store has done its work by now; a server's time is not the loop's.
    busyMs += performance.now() - writing;
    await written;
  }
  await takeOver(bench.reads, slices, plan, tracks, end, settled);
  return busyMs;
}

async function loadMissing(reads: ReadStore, slices: readonly TrackSlice[]): Promise<number> {
  const asking = performance.now();
  const loads = slices.map(({ track, missing }) => reads.load(track.generation, missing));
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
  readonly checkpoints: ReadonlyMap<Track, Checkpoint>;
  readonly documents: ReadonlyMap<Track, readonly GuardedDocument[]>;
};

function planWrites(slices: readonly TrackSlice[], tracks: readonly Track[], end: Position): WritePlan {
  const checkpoints = new Map<Track, Checkpoint>();
  const documents = new Map<Track, readonly GuardedDocument[]>();
  const writes = slices.map((slice): ProjectionWrite => {
    const { track } = slice;
    const checkpoint = nextCheckpoint(slice, slice.halt === null ? end : slice.position);
    const changed = changedDocuments(slice);
    checkpoints.set(track, checkpoint);
    documents.set(track, changed);
    return { generation: track.generation, documents: changed, checkpoint };
  });
  for (const track of tracks) {
    if (!track.trailing || checkpoints.has(track) || track.halt !== null || end <= track.position) continue;
    const checkpoint = nextCheckpoint(emptySlice(track), end);
    checkpoints.set(track, checkpoint);
    writes.push({ generation: track.generation, documents: [], checkpoint });
  }
  return { writes, checkpoints, documents };
}

function nextCheckpoint(
  { track, applied, ignored, parkedEvents }: TrackSlice,
  position: Position,
): Checkpoint {
  return {
    position,
    applied: track.checkpoint.applied + applied,
    ignored: track.checkpoint.ignored + ignored,
    parked: track.checkpoint.parked + parkedEvents.length,
  };
}

/** Keeps what cannot be folded before the checkpoint passes it. */
async function setAside(bench: Workbench, slices: readonly TrackSlice[]): Promise<void> {
  for (const { track, newlyParked, parkedEvents } of slices) {
    if (parkedEvents.length === 0) continue;
    bench.fence();
    const { reads } = bench;
    await Promise.all(
      [...newlyParked.values()].map((parked) => putParkedWorkspace(reads, track.generation, parked)),
    );
    await Promise.all(
      parkedEvents.map(({ workspaceId, event }) =>
        putParkedEvent(reads, track.generation, workspaceId, event),
      ),
    );
  }
}

async function takeOver(
  reads: ReadStore,
  slices: readonly TrackSlice[],
  { checkpoints, documents }: WritePlan,
  tracks: readonly Track[],
  end: Position,
  settled: boolean,
): Promise<void> {
  for (const slice of slices) {
    const { track } = slice;
    for (const document of documents.get(track) ?? []) track.cache.put(document);
    for (const [workspaceId, parked] of slice.newlyParked) track.parked.set(workspaceId, parked);
    if (slice.halt !== null) {
      track.halt = slice.halt;
      track.position = slice.position;
      await putHalt(reads, track.generation, slice.halt);
    }
    track.trailing = true;
  }
  for (const track of tracks) {
    track.checkpoint = checkpoints.get(track) ?? track.checkpoint;
    if (track.halt === null && track.position < end) track.position = end;
    if (settled || track.halt !== null) track.trailing = false;
  }
}

/** Writes the checkpoints of tracks that have passed only foreign events since their last own one. */
export async function writeIdleCheckpoints(bench: Workbench, tracks: readonly Track[]): Promise<void> {
  const behind = tracks.filter(({ checkpoint, position }) => checkpoint.position < position);
  if (behind.length === 0) return;
  const next = behind.map((track) => ({
    track,
    checkpoint: { ...track.checkpoint, position: track.position },
  }));
  await bench.reads.write(
    next.map(({ track, checkpoint }) => ({ generation: track.generation, documents: [], checkpoint })),
    bench.fence(),
  );
  for (const { track, checkpoint } of next) track.checkpoint = checkpoint;
}

/**
 * Brings tracks from where they are to the end of what is in the event store when it gets there. Stops early,
 * between two slices, when the signal aborts or all tracks have halted.
 */
export async function catchUp(
  bench: Workbench,
  tracks: readonly Track[],
  pace: Pace,
  signal: AbortSignal,
  onBatch?: () => void | Promise<void>,
): Promise<void> {
  const size = sliceSize(pace);
  const routes = routesOf(tracks);
  const reading = bench.events.readAll({
    after: oldestPosition(tracks),
    types: typesOf(tracks.map(({ projection }) => projection)),
    batchSize: Math.max(READ_BATCH, pace.maxSliceEvents),
  });
  const isOver = (): boolean => signal.aborted || tracks.every(({ halt }) => halt !== null);
  for await (const batch of reading) {
    await projectBatch(bench, routes, tracks, batch, size, async () => (isOver() ? 'stop' : 'go on'));
    await onBatch?.();
    if (isOver()) return;
    await setImmediate();
  }
}

const READ_BATCH = 500;
