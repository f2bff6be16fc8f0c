import { monthsAfter } from '#kernel/values/calendar-months.js';
import { HOUR_MS } from '#kernel/values/durations.js';

/** A month of one account and business unit, with the day of the month that it is counted from. */
export type Month = { readonly from: string; readonly until: string; readonly anchorDay: number };

/** A renewal that is processed later than this begins when it is processed (OP-27). */
const LATE_MS = HOUR_MS;

/**
 * The month that begins at `from`: one calendar month (UTC), ending on the anchor day at the same time of day, or on
 * the last day of a month that is too short.
 */
export const monthFrom = (from: string, anchorDay: number = new Date(from).getUTCDate()): Month => ({
  from,
  until: monthsAfter(from, 1, anchorDay),
  anchorDay,
});

/** The facts about an account and business unit that needs a month. */
export type Lapse = {
  /** Since when a month is missing: the end of the last one, or the first request. */
  readonly lapsesAt: string;
  /** The anchor day of the month that ended then; null if none ended then. */
  readonly anchorDay: number | null;
  /** An attempt to pay it was already refused. */
  readonly wasRefused: boolean;
};

/** The anchor day of the month that ended at the lapse; null if none ended then. */
export const anchorAt = (
  lapsesAt: string,
  last: { readonly coveredUntil: string | null; readonly anchorDay: number | null },
): number | null => (last.coveredUntil === lapsesAt ? last.anchorDay : null);

/**
 * The month to be paid now. It begins where the last one ended. After a refused attempt, or more than an hour without
 * an attempt, it begins now, and its day is the new anchor: missed months are not charged.
 */
export function monthToPay({ lapsesAt, anchorDay, wasRefused }: Lapse, now: string): Month {
  const isLate = Date.parse(now) - Date.parse(lapsesAt) > LATE_MS;
  if (wasRefused || isLate) return monthFrom(now);
  return anchorDay === null ? monthFrom(lapsesAt) : monthFrom(lapsesAt, anchorDay);
}

/** The calendar month (UTC) in which a month begins: two months of one unit never begin in the same one. */
export const calendarMonthOf = (instant: string): string => instant.slice(0, 7);

/** Calendar months from that of `first` to that of `last`, both included. */
export function calendarMonthsBetween(first: string, last: string): readonly string[] {
  const months: string[] = [];
  const [year = 0, month = 1] = calendarMonthOf(first).split('-').map(Number);
  for (let index = month - 1; ; index += 1) {
    const next = calendarMonthOf(new Date(Date.UTC(year, index, 1)).toISOString());
    if (months.length > 0 && next > calendarMonthOf(last)) return months;
    months.push(next);
  }
}

/** The charge key of a month; its product is the same for all. */
export const monthKey = (companyId: number, personaId: number, calendarMonth: string): string =>
  `monitoring:${companyId}:${personaId}:${calendarMonth}`;

/** The same for the key of a charge of a month: without the number that follows if the key was used for something else. */
export const monthKeyOf = (key: string): string =>
  /^(monitoring:\d+:\d+:\d{4}-\d{2})#\d+$/.exec(key)?.[1] ?? key;

const MONTH_KEY = /^monitoring:(\d+):/;

/** The company in the charge key of a month; null for another key. */
export function companyOfMonthKey(key: string): number | null {
  const companyId = MONTH_KEY.exec(key)?.[1];
  return companyId === undefined ? null : Number(companyId);
}
