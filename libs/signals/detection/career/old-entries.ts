import { DAY_MS } from '#kernel/values/durations.js';

/** A position that began more days before it was observed is a corrected old entry (D-28). */
const MOST_DAYS = 365;

/** Whether a position began long before it was observed, by the last possible day of its date. */
export function isOldEntry(startDate: string | null, observedAt: string): boolean {
  if (startDate === null) return false;
  const lastDay = lastDayOf(startDate);
  return (Date.parse(observedAt.slice(0, 10)) - lastDay) / DAY_MS > MOST_DAYS;
}

/** The last possible day of `2024`, `2024-03` or `2024-03-01`, at midnight. */
function lastDayOf(partialDate: string): number {
  const [year = 0, month, day] = partialDate.split('-').map(Number);
  if (month === undefined) return Date.UTC(year, 11, 31);
  // Day 0 of a month is the last one of the month before.
  return day === undefined ? Date.UTC(year, month, 0) : Date.UTC(year, month - 1, day);
}
