import type { Position } from '#kernel/ports/event-store.port.js';
import type { ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import { generationKey, parkedKey, type ParkedWorkspace } from './parked.js';

/** The state of a view's live generation: the position it has read, and whether it left any event out. */
export type ViewStanding = {
  /** Every event up to here is in the view, or set aside because its workspace is parked. */
  readonly position: Position;
  readonly isParked: boolean;
  /** The first parked event of the workspace; null: none. */
  readonly parkedAt: Position | null;
  readonly isHalted: boolean;
};

/**
 * Reads the checkpoint first and the parked workspaces afterwards. An event is parked before the checkpoint passes it, so
 * a workspace that is not parked has all its events up to the position in the view. Null without a live generation.
 */
export async function viewStanding(
  reads: ReadStore,
  view: ViewShape,
  workspaceId: number,
): Promise<ViewStanding | null> {
  const { live } = await reads.generations(view);
  if (live === null) return null;
  const generation = { view, generation: live };
  const checkpoint = await reads.checkpoint(generation);
  if (checkpoint === null) return null;
  const parked = await reads.getRecord<ParkedWorkspace>(
    'parked-workspace',
    parkedKey(generation, String(workspaceId)),
  );
  const halted = await reads.getRecord('halted', generationKey(generation));
  return {
    position: checkpoint.position,
    isParked: parked !== null,
    parkedAt: parked?.position ?? null,
    isHalted: halted !== null,
  };
}
