import type { Projection } from '#kernel/projections/projection.js';
import type { ViewShape } from '#kernel/ports/read-store.port.js';

/** Projections that share one subscription and one lease. */
export type ProjectionGroup = { readonly name: string; readonly projections: readonly Projection[] };

/** The read models of the product, as the engine runs them. */
export type ProjectionRegistry = {
  readonly groups: readonly ProjectionGroup[];
  readonly projections: readonly Projection[];
  /** Throws when there is no projection of that name. */
  readonly named: (name: string) => { readonly projection: Projection; readonly group: ProjectionGroup };
  /** Projections that handle at least one of these types. */
  readonly handling: (types: readonly string[]) => readonly Projection[];
};

/** The registry of some groups. Throws when two projections or two groups have the same name. */
export function projectionRegistry(groups: readonly ProjectionGroup[]): ProjectionRegistry {
  const byName = new Map<string, { readonly projection: Projection; readonly group: ProjectionGroup }>();
  const groupNames = new Set<string>();
  for (const group of groups) {
    if (groupNames.has(group.name)) throw new Error(`two projection groups are called ${group.name}`);
    groupNames.add(group.name);
    for (const projection of group.projections) {
      if (byName.has(projection.name)) throw new Error(`two projections are called ${projection.name}`);
      byName.set(projection.name, { projection, group });
    }
  }
  const projections = [...byName.values()].map(({ projection }) => projection);
  const handlingCache = new Map<string, readonly Projection[]>();
  return {
    groups,
    projections,
    named: (name) => {
      const entry = byName.get(name);
      if (entry === undefined) throw new UnknownProjection(name);
      return entry;
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

/** Somebody named a projection that the registry does not hold. */
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
