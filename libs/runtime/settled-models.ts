import type { Position } from '#kernel/ports/event-store.port.js';
import type { ProjectionFigures } from '#projection-engine/projection-figures.js';

/** How long read models may stand still, in milliseconds, before a wait for them ends. */
const STANDSTILL_MS = 10_000;

export type SettledModelsParts = {
  /** The end of the event store. */
  readonly head: () => Promise<Position>;
  /** True as soon as all read models have passed the position; false after the milliseconds. */
  readonly reached: (position: Position, timeoutMs: number) => Promise<boolean>;
  readonly figures: () => Promise<readonly Pick<ProjectionFigures, 'events' | 'isHalted'>[]>;
  readonly isStopping: () => boolean;
};

/**
 * The end of the event store at the call, as soon as all read models have passed it. Null if the slowest of them reads
 * nothing for `STANDSTILL_MS`, or if the service stops. A long backlog is waited for as long as it becomes shorter.
 */
export async function settledModels(parts: SettledModelsParts): Promise<Position | null> {
  const position = await parts.head();
  for (let readBefore = -1; !parts.isStopping();) {
    if (await parts.reached(position, STANDSTILL_MS)) return position;
    const read = leastRead(await parts.figures());
    if (read <= readBefore) return null;
    readBefore = read;
  }
  return null;
}

/** The events that even the slowest read model has read. Nobody waits for a halted one. */
const leastRead = (figures: readonly Pick<ProjectionFigures, 'events' | 'isHalted'>[]): number =>
  Math.min(...figures.filter(({ isHalted }) => !isHalted).map(({ events }) => events));
