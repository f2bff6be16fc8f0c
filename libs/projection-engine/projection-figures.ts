import type { Projection } from '#kernel/projections/projection.js';
import { generationKey, loadHalts, loadParkedKeys } from './parked.js';
import { projectionLags } from './projection-lags.js';
import { scanned } from './projected-view.js';
import { standingOf, type FullStanding, type ReadinessStores } from './readiness.js';
import { isUnderWay, rebuildNote } from './rebuild-note.js';

/** The state of a projection, in numbers. */
export type ProjectionFigures = {
  readonly name: string;
  /** True if queries can read it. */
  readonly isLive: boolean;
  /** The age of the first unhandled event in seconds; zero if there is none. */
  readonly lagSeconds: number;
  readonly parkedWorkspaces: number;
  readonly isHalted: boolean;
  /** The number of events read by the live generation, or by the first one. */
  readonly events: number;
  /** The number of events read by the generation in progress; null if none is being built. */
  readonly rebuildEvents: number | null;
};

/** The stored state of all projections: the same in every process. */
export async function projectionFigures(
  stores: ReadinessStores,
  projections: readonly Projection[],
): Promise<readonly ProjectionFigures[]> {
  const { reads } = stores;
  const standings = await Promise.all(projections.map((projection) => standingOf(reads, projection)));
  const [parkedKeys, halts, lags, rebuilds] = await Promise.all([
    loadParkedKeys(reads),
    loadHalts(reads),
    projectionLags(stores, standings),
    Promise.all(standings.map((standing) => rebuildEvents(stores, standing))),
  ]);
  const parked = new Map<string, number>();
  for (const key of parkedKeys) {
    const generation = key.slice(0, key.lastIndexOf('/'));
    parked.set(generation, (parked.get(generation) ?? 0) + 1);
  }
  return standings.map(({ projection, live, newest, events }, index) => {
    const key = newest === null ? '' : generationKey({ view: projection, generation: newest });
    return {
      name: projection.name,
      isLive: live !== null,
      lagSeconds: lags.get(projection.name) ?? 0,
      parkedWorkspaces: parked.get(key) ?? 0,
      isHalted: halts.has(key),
      events,
      rebuildEvents: rebuilds[index] ?? null,
    };
  });
}

async function rebuildEvents(
  { reads }: ReadinessStores,
  { projection, live }: FullStanding,
): Promise<number | null> {
  const note = await rebuildNote(reads, projection);
  if (!isUnderWay(note, live)) return null;
  const checkpoint = await reads.checkpoint({ view: projection, generation: note.generation });
  return checkpoint === null ? 0 : scanned(checkpoint);
}
