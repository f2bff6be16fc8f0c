import { partitionOf, PARTITIONS, type PartitionRange } from '#kernel/events/workspace-partition.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { EventCounts, Generation, ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { viewKey } from './registry.js';

/** A generation that is projected in shares, with its counts when the plan began. */
export type PlannedView = {
  /** The version of the view: `detections@2`. */
  readonly view: string;
  readonly generation: number;
  readonly before: EventCounts;
};

/** The partitions of one worker. The share's name is also the name of its lease. */
export type PlannedShare = PartitionRange & { readonly name: string; readonly holder: string };

/**
 * How the workers share projecting, as the leader of a group decided it. It stays until its shares are merged into the
 * checkpoints of the generations, also if the leader dies.
 */
export type SharePlan = {
  readonly id: string;
  /** The epoch of the leader's lease: under a later leader nobody starts to work by this plan. */
  readonly epoch: number;
  readonly views: readonly PlannedView[];
  /** The first is that of the leader; it also has the events without a workspace. */
  readonly shares: readonly PlannedShare[];
  /** The workers are to release their shares. */
  readonly isEnded: boolean;
};

const KIND = 'share-plan';

/** The current plan of a group; null if projecting is not shared. */
export function sharePlan(reads: ReadStore, groupName: string): Promise<SharePlan | null> {
  return reads.getRecord<SharePlan>(KIND, groupName);
}

export async function putSharePlan(reads: ReadStore, groupName: string, plan: SharePlan): Promise<void> {
  await reads.putRecord(KIND, groupName, plan);
}

export async function deleteSharePlan(reads: ReadStore, groupName: string): Promise<void> {
  await reads.deleteRecord(KIND, groupName);
}

/** The name of a share of a group, and of its lease. */
export function shareName(groupName: string, place: number): string {
  return `projections:${groupName}:share:${place}`;
}

/** The place in the plan of the share that folds an event into a view. */
export type ShareOfEvent = (projection: Projection, event: StoredEvent) => number;

export function shareOfEvent({ shares }: Pick<SharePlan, 'shares'>): ShareOfEvent {
  const places = Array.from({ length: PARTITIONS }, (_, partition) =>
    shares.findIndex(({ from, size }) => partition >= from && partition < from + size),
  );
  return ({ acrossWorkspaces }, { metadata }) => {
    const workspaceId = metadata['workspaceId'];
    if (acrossWorkspaces || workspaceId === undefined) return 0;
    return places[partitionOf(Number(workspaceId))] ?? 0;
  };
}

/** The generations of a plan that belong to these projections; other versions of the program have others. */
export function plannedGenerations(
  { views }: SharePlan,
  projections: readonly Projection[],
): readonly (Generation & { readonly view: Projection; readonly before: EventCounts })[] {
  const byKey = new Map(projections.map((projection) => [viewKey(projection), projection]));
  return views.flatMap(({ view, generation, before }) => {
    const projection = byKey.get(view);
    return projection === undefined ? [] : [{ view: projection, generation, before }];
  });
}

/** The sum of counts; what is missing counts as zero. */
export function addedCounts(...all: readonly (EventCounts | undefined)[]): EventCounts {
  let [applied, ignored, parked] = [0, 0, 0];
  for (const counts of all) {
    applied += counts?.applied ?? 0;
    ignored += counts?.ignored ?? 0;
    parked += counts?.parked ?? 0;
  }
  return { applied, ignored, parked };
}
