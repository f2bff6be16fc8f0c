/**
 * The instant so many calendar months (UTC) after `at` (RFC 3339, UTC, milliseconds): on the anchor day at the same time
 * of day, or on the last day of a month that is too short for it.
 */
export function monthsAfter(
  at: string,
  months: number,
  anchorDay: number = new Date(at).getUTCDate(),
): string {
  const start = new Date(at);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const end = new Date(Date.UTC(year, month, Math.min(anchorDay, lastDay)));
  return `${end.toISOString().slice(0, 10)}${at.slice(at.indexOf('T'))}`;
}
