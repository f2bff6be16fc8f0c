import type { Position } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { DAY_MS, HOUR_MS } from '#kernel/values/durations.js';
import type { ProjectorContext } from './project-batch.js';
import { oldestPosition, type ProjectedView } from './projected-view.js';

/** The position of a group at a real time, to determine the age of a tombstone. */
type Milestone = { readonly atMs: number; readonly position: Position };

const KIND = 'tombstone-milestones';
const KEPT_MS = DAY_MS;

/** Forgets the positions of the group: another log has other positions. */
export async function deleteMilestones(reads: ReadStore, groupName: string): Promise<void> {
  await reads.deleteRecord(KIND, groupName);
}

/** Removes old tombstones of these views once an hour. Returns their number. */
export type TombstoneSweep = (projectedViews: readonly ProjectedView[], nowMs?: number) => Promise<number>;

/**
 * Removes tombstones older than 24 h of real time, once an hour. A stalled worker with a pending creation has lost
 * its fence long before. The time of the next sweep is kept in memory: a leader is asked every second.
 */
export function tombstoneSweep(context: ProjectorContext, groupName: string): TombstoneSweep {
  let notBeforeMs = -Infinity;

  return async (projectedViews, nowMs = Date.now()) => {
    if (projectedViews.length === 0 || nowMs < notBeforeMs) return 0;
    const milestones = (await context.reads.getRecord<readonly Milestone[]>(KIND, groupName)) ?? [];
    const last = milestones.at(-1);
    if (last !== undefined && nowMs - last.atMs < HOUR_MS) {
      notBeforeMs = last.atMs + HOUR_MS;
      return 0;
    }
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
    notBeforeMs = nowMs + HOUR_MS;
    return swept;
  };
}
