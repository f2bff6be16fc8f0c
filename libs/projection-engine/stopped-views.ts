import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { generationKey, loadHalts, loadParkedKeys, workspacesByGeneration } from './parked.js';

/** A view that does not show the newest events. */
export type StoppedView = {
  readonly name: string;
  /** True if it stopped at an event that belongs to no workspace. */
  readonly isHalted: boolean;
  /** The workspaces whose events are parked. */
  readonly workspaceIds: readonly string[];
};

/** Those of the views that are halted, or parked for a workspace: as stored, the same in every process. */
export async function stoppedViews(
  reads: ReadStore,
  views: readonly Projection[],
): Promise<readonly StoppedView[]> {
  if (views.length === 0) return [];
  const [parkedKeys, halts] = await Promise.all([loadParkedKeys(reads), loadHalts(reads)]);
  if (parkedKeys.size === 0 && halts.size === 0) return [];
  const parked = workspacesByGeneration(parkedKeys);
  const all = await Promise.all(
    views.map(async (view) => {
      const generations = await reads.generations(view);
      const generation = generations.live ?? generations.all.at(-1);
      const key = generation === undefined ? '' : generationKey({ view, generation });
      return { name: view.name, isHalted: halts.has(key), workspaceIds: parked.get(key) ?? [] };
    }),
  );
  return all.filter(({ isHalted, workspaceIds }) => isHalted || workspaceIds.length > 0);
}
