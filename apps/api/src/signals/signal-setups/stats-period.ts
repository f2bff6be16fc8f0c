import { DAY_MS } from '#kernel/values/durations.js';

const PERIOD_DAYS = 90;
const WEEKS = 13;

/** One bucket of the stats; its end belongs to the next bucket, except for the last one. */
export type StatsWeek = { readonly start: string; readonly end: string; readonly isLast: boolean };

/** The 90 days that end now, in thirteen weeks: the first week has only six days (OP-20). */
export type StatsPeriod = {
  readonly start: string;
  readonly end: string;
  readonly weeks: readonly StatsWeek[];
};

export function statsPeriod(now: Date): StatsPeriod {
  const end = now.getTime();
  const start = end - PERIOD_DAYS * DAY_MS;
  const weeks = Array.from({ length: WEEKS }, (_, week): StatsWeek => {
    const weekEnd = end - 7 * DAY_MS * (WEEKS - 1 - week);
    const weekStart = Math.max(weekEnd - 7 * DAY_MS, start);
    return { start: iso(weekStart), end: iso(weekEnd), isLast: week === WEEKS - 1 };
  });
  return { start: iso(start), end: iso(end), weeks };
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
