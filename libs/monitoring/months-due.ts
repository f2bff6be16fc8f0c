import type { Credits } from '#kernel/values/credits.js';
import { eachPage } from '#kernel/projections/each-page.js';
import type { MonthsHost } from '#ledger/forecast/foresee-credits.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { anchorAt, monthFrom } from './domain/months-facts.js';
import { monthPrice } from './month-price.js';

/** The facts about a requested account and business unit that determine its next months. */
export type ForecastUnit = {
  /** When its month ends, or since when it needs one. */
  readonly lapsesAt: string;
  /** The anchor day of its month; null if none ended then. */
  readonly anchorDay: number | null;
};

/** Units by their months, each with the number of units that have the same: those of a list begin together. */
export type UnitsByMonths = Map<string, readonly [unit: ForecastUnit, count: number]>;

export function addUnit(counted: UnitsByMonths, unit: ForecastUnit): void {
  const months = `${unit.lapsesAt} ${unit.anchorDay}`;
  const [first, count] = counted.get(months) ?? [unit, 0];
  counted.set(months, [first, count + 1]);
}

/** Months that begin before a time, each with its due time, if each is paid when it is due. */
export function monthsOf(
  units: UnitsByMonths,
  price: Credits,
  now: string,
  until: string,
): readonly { readonly at: string; readonly credits: Credits }[] {
  const due = new Map<string, Credits>();
  for (const [{ lapsesAt, anchorDay }, count] of units.values()) {
    let month =
      lapsesAt <= now
        ? monthFrom(now)
        : anchorDay === null
          ? monthFrom(lapsesAt)
          : monthFrom(lapsesAt, anchorDay);
    for (; month.from < until; month = monthFrom(month.until, month.anchorDay))
      due.set(month.from, (due.get(month.from) ?? 0n) + price * BigInt(count));
  }
  return [...due].map(([at, credits]) => ({ at, credits }));
}

/** A workspace may have a hundred thousand units. */
const UNITS_AT_ONCE = 500;

/** The months of a workspace that fall due before a time, at today's price; none if they cost nothing. */
export async function monthsDue(
  host: MonthsHost,
  workspaceId: number,
  now: string,
  until: string,
): Promise<readonly { readonly at: string; readonly credits: Credits }[]> {
  const price = (await monthPrice(host, workspaceId)) ?? 0n;
  if (price === 0n) return [];
  const pages = eachPage(host.readModels, monitoredUnits, {
    where: {
      workspaceId,
      status: { in: ['monitored', 'not_covered'] },
      rests: null,
      lapsesAt: { lt: until },
    },
    sort: [
      ['lapsesAt', 'asc'],
      ['unit', 'asc'],
    ],
    limit: UNITS_AT_ONCE,
  });
  const units: UnitsByMonths = new Map();
  const added = new Set<string>();
  for await (const page of pages) {
    for (const { unit, lapsesAt, ...last } of page) {
      // A unit that is renewed meanwhile comes again on a later page.
      if (lapsesAt === null || added.has(unit)) continue;
      added.add(unit);
      addUnit(units, { lapsesAt, anchorDay: anchorAt(lapsesAt, last) });
    }
  }
  return monthsOf(units, price, now, until);
}
