import { DAY_MS } from '#kernel/values/durations.js';
import type { DetectorRun } from './detector.js';

/** The time range that a run reads (D-02). */
export type RunWindow = {
  /** Exclusive. */
  readonly after: Date;
  /** Inclusive; set if a start date raises the lower end (D-03). */
  readonly from?: Date;
  /** Inclusive. */
  readonly until: Date;
  /** Observations closed at or before it are left out (SRC-05). */
  readonly now: Date;
};

/** `startDate`: a day (`2026-01-31`) before which nothing is read. */
export function windowOf(
  { now, lookbackDays, liveAfter }: Pick<DetectorRun<unknown>, 'now' | 'lookbackDays' | 'liveAfter'>,
  startDate?: string,
): RunWindow {
  const after = now.getTime() - lookbackDays * DAY_MS;
  return {
    after: new Date(Math.max(after, liveAfter?.getTime() ?? after)),
    until: now,
    now,
    ...(startDate === undefined ? {} : { from: new Date(`${startDate}T00:00:00.000Z`) }),
  };
}
