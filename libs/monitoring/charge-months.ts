import type { Credits } from '#kernel/values/credits.js';
import { productOf } from '#catalogue/products.js';
import { chargeInAdvance, type AdvanceOutcome } from '#ledger/charging/charge-in-advance.js';
import type { Charge, ChargeHost, PaidWork } from '#ledger/charging/charges.js';
import { calendarMonthOf, calendarMonthsBetween, monthKey, type Month } from './domain/months-facts.js';

/** A month of one account and business unit to be paid. */
export type MonthCharge = {
  readonly companyId: number;
  readonly personaId: number;
  readonly month: Month;
  /** Since when a month is missing: any month paid from then on is this one. */
  readonly lapsesAt: string;
  /** Since when the account is recorded as not covered; null if it is not. */
  readonly notCoveredSince: string | null;
};

/**
 * Pays months in advance, in their order (`chargeInAdvance`). A month that was paid since the last one ended is not
 * paid again, at any price and with any start.
 */
export const chargeMonths = (
  host: ChargeHost,
  work: PaidWork,
  step: string,
  price: Credits,
  months: readonly MonthCharge[],
  mark: bigint,
): Promise<readonly AdvanceOutcome[] | null> =>
  chargeInAdvance(
    host,
    work,
    step,
    months.map((month) => ({ charge: chargeOf(month, price), paidAs: keysSince(month) })),
    mark,
  );

function chargeOf(
  { companyId, personaId, month: { from, until, anchorDay }, notCoveredSince }: MonthCharge,
  credits: Credits,
): Charge {
  const month = calendarMonthOf(from);
  const again = notCoveredSince === null ? {} : { notCoveredSince };
  return {
    key: monthKey(companyId, personaId, month),
    credits,
    product: productOf('bucket:essential', credits),
    cause: { kind: 'monitoring', companyId, personaId, month, from, until, anchorDay, ...again },
  };
}

/**
 * The keys under which the month may already have been paid: a month begins when it is paid, and another process may
 * have paid it later than the time asked here, in the next calendar month.
 */
const keysSince = ({ companyId, personaId, lapsesAt, month }: MonthCharge): readonly string[] =>
  calendarMonthsBetween(lapsesAt, month.until).map((calendarMonth) =>
    monthKey(companyId, personaId, calendarMonth),
  );
