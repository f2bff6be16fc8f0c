import { START, type Position } from '#kernel/ports/event-store.port.js';
import type { LogHead } from './log-head.js';

/** Whether the log has grown past the subscriptions of this process. They share the reads of its end. */
export type LogGrowth = {
  /** This process has seen an event at this position: it wrote or read it. */
  readonly saw: (position: Position) => void;
  /**
   * The end of the log if it has a record after a position; null if it has none, or if it is not due to be read. It is read
   * at once if this process has seen an event after the position, which someone here may wait for.
   */
  readonly past: (position: Position) => Promise<Position | null>;
};

type GrowthOptions = {
  /** The end is read at most this often without an event that this process has seen. */
  readonly heartbeatMs: number;
  /** The time in milliseconds, from any beginning. */
  readonly now?: (() => number) | undefined;
};

/** The end of a quiet log is read after this part of the time for which it has been quiet. */
const QUIET_SHARE = 1 / 4;
const LONGEST_APART_MS = 1_000;

/**
 * The event of another process that no filter lets through, and a dead subscription, are found by a read of the end alone.
 * While the log is quiet it is read more and more rarely.
 */
export function logGrowth(
  head: Pick<LogHead, 'end'>,
  { heartbeatMs, now = () => performance.now() }: GrowthOptions,
): LogGrowth {
  let seen: Position = START;
  let grewAt = now();
  let lookedAt = -Infinity;
  let looking: Promise<Position> | null = null;

  const saw = (position: Position): void => {
    if (position <= seen) return;
    seen = position;
    grewAt = now();
  };

  const look = async (): Promise<Position> => {
    const before = seen;
    const end = await head.end();
    lookedAt = now();
    saw(end);
    // A log that ends earlier is another one, and has nothing of what was seen; an event of this moment is not in doubt.
    if (seen === before) seen = end;
    return end;
  };

  const isDue = (): boolean => {
    const at = now();
    const apartMs = Math.max(heartbeatMs, Math.min(LONGEST_APART_MS, (at - grewAt) * QUIET_SHARE));
    return at - Math.max(grewAt, lookedAt) >= apartMs;
  };

  return {
    saw,
    past: async (position) => {
      if (seen <= position && !isDue()) return null;
      looking ??= look().finally(() => (looking = null));
      const end = await looking;
      return end > position ? end : null;
    },
  };
}
