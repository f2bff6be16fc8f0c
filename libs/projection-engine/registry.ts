import type { Projection } from '#kernel/projections/projection.js';
import type { ViewShape } from '#kernel/ports/read-store.port.js';

/** Projections that share one subscription and one lease. */
export type ProjectionGroup = { readonly name: string; readonly projections: readonly Projection[] };

/** The read models of the product, as the engine runs them. */
export type ProjectionRegistry = {
  readonly group: ProjectionGroup;
  readonly projections: readonly Projection[];
  /** Throws if there is no projection of that name. */
  readonly named: (name: string) => Projection;
  /** Projections that handle at least one of these types. */
  readonly handling: (types: readonly string[]) => readonly Projection[];
};

/** The registry of the group of all projections. Throws when two projections have the same name. */
export function projectionRegistry(group: ProjectionGroup): ProjectionRegistry {
  const { projections } = group;
  const byName = new Map<string, Projection>();
  for (const projection of projections) {
    if (byName.has(projection.name)) throw new Error(`two projections are called ${projection.name}`);
    byName.set(projection.name, projection);
  }
  const handlingCache = new Map<string, readonly Projection[]>();
  return {
    group,
    projections,
    named: (name) => {
      const projection = byName.get(name);
      if (projection === undefined) throw new UnknownProjection(name);
      return projection;
    },
    handling: (types) => {
      const cacheKey = types.join(' ');
      const known = handlingCache.get(cacheKey);
      if (known !== undefined) return known;
      const found = projections.filter((projection) => types.some((type) => type in projection.on));
      if (handlingCache.size >= HANDLING_CACHE_SIZE) handlingCache.clear();
      handlingCache.set(cacheKey, found);
      return found;
    },
  };
}

// Combinations of types that commands append together: some dozens in practice.
const HANDLING_CACHE_SIZE = 1_000;

/** There is no projection of the given name. */
class UnknownProjection extends Error {
  constructor(projectionName: string) {
    super(`there is no projection called ${projectionName}`);
    this.name = 'UnknownProjection';
  }
}

/** The event types of some projections together, in a stable order. */
export function typesOf(projections: readonly Projection[]): readonly string[] {
  return [...new Set(projections.flatMap(({ on }) => Object.keys(on)))].sort();
}

/** One text for a view version: `detections@2`. */
export function viewKey({ name, version }: ViewShape): string {
  return `${name}@${version}`;
}
