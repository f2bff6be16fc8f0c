import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { KeptShare } from '#kernel/ports/read-store.port.js';
import type { PlannedShare } from './share-plan.js';

/**
 * Finds shares that do not move while the leader's share moves on. `stallMs` is the time until a share counts as
 * stalled.
 */
export function shareWatch(stallMs: number, now = () => performance.now()) {
  /** Shares behind the leader's, with their position and the time when it was first seen. */
  const behind = new Map<string, { readonly position: Position; readonly sinceMs: number }>();

  const isStalled = (name: string, position: Position, reached: Position): boolean => {
    if (position >= reached) {
      behind.delete(name);
      return false;
    }
    const known = behind.get(name);
    if (known?.position === position) return now() - known.sinceMs >= stallMs;
    behind.set(name, { position, sinceMs: now() });
    return false;
  };

  return {
    /** Call it when a plan begins: its shares have the names of earlier ones. */
    restart: (): void => behind.clear(),
    /** The stalled ones of these shares, where the leader's share is at `reached`. */
    stalled: (
      shares: readonly PlannedShare[],
      kept: readonly Pick<KeptShare, 'name' | 'position'>[],
      reached: Position,
    ): readonly PlannedShare[] => {
      const positions = new Map(kept.map(({ name, position }) => [name, position]));
      return shares.filter(({ name }) => isStalled(name, positions.get(name) ?? START, reached));
    },
  };
}
