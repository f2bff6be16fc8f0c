import type { Fraction } from '#kernel/values/fraction.js';

/** Whether `difference` is at least this percentage of `earlier`. */
export function isAtLeast(percent: Fraction, difference: number, earlier: number): boolean {
  return BigInt(difference) * 100n * percent.denominator >= percent.numerator * BigInt(earlier);
}

/** (later - earlier) / earlier in percent, rounded to one decimal, half away from zero. `earlier` is not 0. */
export function roundedChange(later: number, earlier: number): number {
  const thousandths = BigInt(Math.abs(later - earlier)) * 1_000n;
  const tenths = (2n * thousandths + BigInt(earlier)) / (2n * BigInt(earlier));
  return (Math.sign(later - earlier) * Number(tenths)) / 10;
}

/** The same moment this many calendar months before; a day that the month does not have becomes its last day. */
export function monthsBefore(moment: Date, months: number): Date {
  const target = new Date(moment);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() - months);
  const daysOfMonth = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(moment.getUTCDate(), daysOfMonth));
  return target;
}

/** The UTC month of a moment, `2026-01`. */
export const monthOf = (moment: string): string => moment.slice(0, 7);

/** The months up to this many months before and after a month, without the month itself. */
export function monthsAround(month: string, months: number): readonly string[] {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  const distances = Array.from({ length: months }, (_, index) => index + 1);
  return distances
    .flatMap((distance) => [distance, -distance])
    .map((distance) => monthOf(monthsBefore(first, distance).toISOString()));
}
