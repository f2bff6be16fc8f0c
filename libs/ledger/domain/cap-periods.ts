import { DAY_MS } from '#kernel/values/durations.js';

/** Calendar periods in UTC; a week begins on Monday (ISO 8601). */
export type CapPeriod = 'day' | 'week' | 'month';

/** The first moment of the period that contains `at` (both RFC 3339, UTC, milliseconds). */
export function periodStart(period: CapPeriod, at: string): string {
  switch (period) {
    case 'day':
      return `${at.slice(0, 'yyyy-mm-dd'.length)}T00:00:00.000Z`;
    case 'month':
      return `${at.slice(0, 'yyyy-mm'.length)}-01T00:00:00.000Z`;
    case 'week': {
      const midnight = Date.parse(periodStart('day', at));
      // getUTCDay counts from Sunday.
      const daysSinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
      return new Date(midnight - daysSinceMonday * DAY_MS).toISOString();
    }
  }
}

/** The first moment after the period that contains `at`. */
export function periodEnd(period: CapPeriod, at: string): string {
  const start = new Date(periodStart(period, at));
  switch (period) {
    case 'day':
      return new Date(start.getTime() + DAY_MS).toISOString();
    case 'week':
      return new Date(start.getTime() + 7 * DAY_MS).toISOString();
    case 'month':
      return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)).toISOString();
  }
}
