const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The month of a moment, in UTC: `2026-01`. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

/** The requested month; the current one if it is missing or invalid. */
export const monthAsked = (asked: string | null, now: Date): string =>
  asked !== null && MONTH.test(asked) ? asked : monthOf(now);

/** The month this many months later, or earlier for a negative number. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + months)));
}

/** The first and last day boundaries of a month: from inclusive, to exclusive. */
export const periodOf = (month: string): { readonly from: string; readonly to: string } => ({
  from: `${month}-01`,
  to: `${monthAfter(month, 1)}-01`,
});
