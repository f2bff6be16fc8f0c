import type { Position } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { ProjectorContext } from './project-batch.js';
import { oldestPosition, type ProjectedView } from './projected-view.js';

/** The position of a group at a real time, to determine the age of a tombstone. */
type Milestone = { readonly atMs: number; readonly position: Position };

const KIND = 'tombstone-milestones';
const HOUR_MS = 3_600_000;
const KEPT_MS = 24 * HOUR_MS;

/** Forgets the positions of the group: another log has other positions. */
export async function deleteMilestones(reads: ReadStore, groupName: string): Promise<void> {
  await reads.deleteRecord(KIND, groupName);
}

/**
 * Removes tombstones older than 24 h of real time, once an hour. A stalled worker with a pending creation has lost
 * its fence long before.
 */
export async function sweepTombstones(
  context: ProjectorContext,
  groupName: string,
  projectedViews: readonly ProjectedView[],
  nowMs: number = Date.now(),
): Promise<number> {
  if (projectedViews.length === 0) return 0;
  const milestones = (await context.reads.getRecord<readonly Milestone[]>(KIND, groupName)) ?? [];
  const last = milestones.at(-1);
  if (last !== undefined && nowMs - last.atMs < HOUR_MS) return 0;
  const old = milestones.filter(({ atMs }) => nowMs - atMs >= KEPT_MS).at(-1);
  context.fence();
  let swept = 0;
  if (old !== undefined) {
    for (const { generation } of projectedViews)
      swept += await context.reads.sweepTombstones(generation, old.position);
  }
  const position = oldestPosition(projectedViews);
  const young = milestones.filter(({ atMs }) => nowMs - atMs < KEPT_MS);
  await context.reads.putRecord(KIND, groupName, [...young, { atMs: nowMs, position }]);
  return swept;
}
