import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { generationKey, loadHalts, loadParkedKeys, parkedKey } from './parked.js';

type Persisted = {
  readonly generation: number;
  /** False for a first generation that has not caught up: queries cannot read it yet. */
  readonly isLive: boolean;
  readonly position: Position;
  readonly isHalted: boolean;
};

/** The maximum age of cached pointers, parked workspaces and halts. */
const FACTS_MS = 250;

/**
 * The progress of projections as the leader, in another process, stored it. An old pointer is harmless: the earlier
 * generation no longer changes, and the new one has reached it.
 */
export function persistedProgress(reads: ReadStore) {
  const persisted = new Map<string, Persisted>();
  let parkedKeys: ReadonlySet<string> = new Set();
  /** The time of the last read of pointers and halts, by projection name. */
  const factsAt = new Map<string, number>();
  const refreshing = new Map<string, Promise<void>>();

  const isParkedIn = (projection: Projection, { generation }: Persisted, workspaceId: string): boolean =>
    parkedKeys.has(parkedKey({ view: projection, generation }, workspaceId));

  const readFacts = async (projections: readonly Projection[]): Promise<void> => {
    const [keys, halts] = await Promise.all([loadParkedKeys(reads), loadHalts(reads)]);
    await Promise.all(
      projections.map(async (projection) => {
        const { live, all } = await reads.generations(projection);
        const generation = live ?? all.at(-1);
        if (generation === undefined) return;
        const isHalted = halts.has(generationKey({ view: projection, generation }));
        const known = persisted.get(projection.name);
        const position = known?.generation === generation ? known.position : START;
        persisted.set(projection.name, { generation, isLive: live !== null, position, isHalted });
      }),
    );
    parkedKeys = keys;
    for (const { name } of projections) factsAt.set(name, performance.now());
  };

  const refreshFacts = async (projections: readonly Projection[]): Promise<void> => {
    const isOld = ({ name }: Projection): boolean =>
      !refreshing.has(name) && performance.now() - (factsAt.get(name) ?? -Infinity) >= FACTS_MS;
    const old = projections.filter(isOld);
    if (old.length > 0) {
      const reading = readFacts(old).finally(() => old.forEach(({ name }) => refreshing.delete(name)));
      for (const { name } of old) refreshing.set(name, reading);
    }
    await Promise.all(projections.map(({ name }) => refreshing.get(name)));
  };

  return {
    /** True if queries of this projection show the events up to this position, or never will. False if unknown. */
    hasReached(projection: Projection, position: Position, workspaceId: string | null): boolean {
      const known = persisted.get(projection.name);
      if (known === undefined) return false;
      if ((known.isLive && known.position >= position) || known.isHalted) return true;
      return workspaceId !== null && isParkedIn(projection, known, workspaceId);
    },
    /** Reads the progress of these projections. */
    async readCheckpoints(projections: readonly Projection[]): Promise<void> {
      await refreshFacts(projections);
      await Promise.all(
        projections.map(async (projection) => {
          const known = persisted.get(projection.name);
          if (known === undefined) return;
          const checkpoint = await reads.checkpoint({ view: projection, generation: known.generation });
          if (checkpoint !== null && persisted.get(projection.name) === known)
            persisted.set(projection.name, { ...known, position: checkpoint.position });
        }),
      );
    },
    async isParked(projection: Projection, workspaceId: string): Promise<boolean> {
      await refreshFacts([projection]);
      const known = persisted.get(projection.name);
      return known !== undefined && isParkedIn(projection, known, workspaceId);
    },
  };
}
