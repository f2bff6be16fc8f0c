import type { Clock } from '#kernel/ports/clock.js';
import type { EventStore, Position } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { Lease, ReadStore } from '#kernel/ports/read-store.port.js';
import { groupLease } from './group-lease.js';
import { holderOf } from './held-lease.js';
import { loadHalt, loadParked, type Halt, type ParkedWorkspace } from './parked.js';
import { isUnderWay, rebuildNote, type RebuildNote } from './rebuild-note.js';
import { typesOf } from './registry.js';
import { NOTHING_DONE, scanned } from './projected-view.js';

export type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly group: string;
  readonly critical: boolean;
  readonly generations: readonly number[];
  /** The live generation; null before the first catch-up. */
  readonly live: number | null;
  readonly checkpoint: Position;
  readonly head: Position;
  /** The age of the first unhandled event in seconds; zero if there is none. */
  readonly lagSeconds: number;
  readonly scanned: number;
  readonly applied: number;
  readonly ignored: number;
  readonly parked: number;
  readonly parkedWorkspaces: readonly ParkedWorkspace[];
  readonly halted: Halt | null;
  readonly rebuild: RebuildNote | null;
  /** The number of events read by the generation in progress; null if none is being built. */
  readonly rebuildEvents: number | null;
  /** `host:pid:random` of the process that projects it; null if none does. */
  readonly leaseHolder: string | null;
};

type Stores = { readonly events: EventStore; readonly reads: ReadStore; readonly clock: Clock };

/** The stores; data that several projections share is read once. */
export type SharedReads = Stores & {
  readonly head: () => Promise<Position>;
  readonly groupName: string;
  /** The lease of the leader. */
  readonly lease: () => Promise<Lease | null>;
};

/** For one status of several projections: shared data is read once and does not change in between. */
export function sharedReads({ events, reads, clock }: Stores, groupName: string): SharedReads {
  let head: Promise<Position> | null = null;
  let lease: Promise<Lease | null> | null = null;
  return {
    events,
    reads,
    clock,
    groupName,
    head: () => (head ??= events.head()),
    lease: () => (lease ??= reads.lease(groupLease(groupName))),
  };
}

/** The stored state of a projection: the same in every process. */
export async function projectionStatus(
  { events, reads, clock, groupName, ...shared }: SharedReads,
  projection: Projection,
): Promise<ProjectionStatus> {
  const { live, all } = await reads.generations(projection);
  const newest = live ?? all.at(-1) ?? null;
  const generation = newest === null ? null : { view: projection, generation: newest };
  const checkpoint = (generation === null ? null : await reads.checkpoint(generation)) ?? NOTHING_DONE;
  const [head, parked, halted, rebuild, lease, waitingSince] = await Promise.all([
    shared.head(),
    generation === null ? new Map<string, ParkedWorkspace>() : loadParked(reads, generation),
    generation === null ? null : loadHalt(reads, generation),
    rebuildNote(reads, projection),
    shared.lease(),
    firstUnhandledAt(events, projection, checkpoint.position),
  ]);
  return {
    name: projection.name,
    version: projection.version,
    group: groupName,
    critical: projection.critical,
    generations: all,
    live,
    checkpoint: checkpoint.position,
    head,
    lagSeconds: waitingSince === null ? 0 : Math.max(0, clock.now().getTime() - waitingSince) / 1_000,
    scanned: scanned(checkpoint),
    applied: checkpoint.applied,
    ignored: checkpoint.ignored,
    parked: checkpoint.parked,
    parkedWorkspaces: [...parked.values()],
    halted,
    rebuild,
    rebuildEvents: isUnderWay(rebuild, live)
      ? scanned(
          (await reads.checkpoint({ view: projection, generation: rebuild.generation })) ?? NOTHING_DONE,
        )
      : null,
    leaseHolder: holderOf(lease),
  };
}

/** The recording time of the first event after a checkpoint, in product time; null if there is none. */
async function firstUnhandledAt(
  events: EventStore,
  projection: Projection,
  after: Position,
): Promise<number | null> {
  for await (const batch of events.readAll({ after, types: typesOf([projection]), batchSize: 1 })) {
    const [event] = batch.events;
    if (event === undefined) continue;
    const recordedAt = Date.parse(event.metadata['recordedAt'] ?? '');
    return Number.isNaN(recordedAt) ? null : recordedAt;
  }
  return null;
}
