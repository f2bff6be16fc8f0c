import type { Credits } from '#kernel/values/credits.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import type { MonthsHost } from '#ledger/forecast/foresee-credits.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { anchorAt, monthFrom } from './domain/months-facts.js';

/** The facts about a requested account and business unit that determine its next months. */
export type ForecastUnit = {
  /** When its month ends, or since when it needs one. */
  readonly lapsesAt: string;
  /** The anchor day of its month; null if none ended then. */
  readonly anchorDay: number | null;
};

/** Months that begin before a time, each with its due time, if each is paid when it is due. */
export function monthsOf(
  units: readonly ForecastUnit[],
  price: Credits,
  now: string,
  until: string,
): readonly { readonly at: string; readonly credits: Credits }[] {
  const due = new Map<string, Credits>();
  for (const [{ lapsesAt, anchorDay }, count] of alike(units)) {
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

/** The units by their months, each with the number of units that have the same: those of a list begin together. */
function alike(units: readonly ForecastUnit[]): readonly (readonly [ForecastUnit, number])[] {
  const counted = new Map<string, readonly [ForecastUnit, number]>();
  for (const unit of units) {
    const months = `${unit.lapsesAt} ${unit.anchorDay}`;
    const [first, count] = counted.get(months) ?? [unit, 0];
    counted.set(months, [first, count + 1]);
  }
  return [...counted.values()];
}

/** The months of a workspace that fall due before a time, at today's price; none if the workspace is not billed. */
export async function monthsDue(
  { commands, readModels }: MonthsHost,
  workspaceId: number,
  now: string,
  until: string,
): Promise<readonly { readonly at: string; readonly credits: Credits }[]> {
  const { billing, chargeOf } = await pricesToCharge(commands, readModels, workspaceId);
  const price = billing.mode === 'exempt' ? 0n : (chargeOf('bucket:essential')?.credits ?? 0n);
  const wanted = await readModels.find(monitoredUnits, {
    where: { workspaceId, status: { in: ['monitored', 'not_covered'] } },
  });
  const units = wanted.flatMap(({ lapsesAt, rests, ...last }) =>
    lapsesAt === null || rests === true ? [] : [{ lapsesAt, anchorDay: anchorAt(lapsesAt, last) }],
  );
  return monthsOf(units, price, now, until);
}
