const LAST_MONTH = 12 * 10_000 - 1;

/**
 * The calendar month (`2026-07`) this many months later, or earlier for a negative number; null outside the years 0 to
 * 9999, which a time cannot be in.
 */
export function monthAfter(month: string, months: number): string | null {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = 12 * year + number - 1 + months;
  if (index < 0 || index > LAST_MONTH) return null;
  const texts = [[Math.floor(index / 12), 4] as const, [(index % 12) + 1, 2] as const];
  return texts.map(([part, digits]) => String(part).padStart(digits, '0')).join('-');
}

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
