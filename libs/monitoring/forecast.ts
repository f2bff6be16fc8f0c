import type { Credits } from '#kernel/values/credits.js';
import { monthFrom } from './domain/months-facts.js';

/** A wanted account and business unit, as far as it says when its next months begin. */
export type ForecastUnit = {
  /** When its month ends, or since when it needs one. */
  readonly lapsesAt: string;
  /** The day that its month was counted from; null where none ends then. */
  readonly anchorDay: number | null;
};

export type ForecastDay = {
  /** A day in UTC, `2026-02-28`. */
  readonly date: string;
  readonly creditsDue: Credits;
  /** What can be spent after it; below zero by what will be missing. */
  readonly balanceAfter: Credits;
};

export type Forecast = {
  /** Days on which anything is due, in order. */
  readonly days: readonly ForecastDay[];
  /** The first moment whose months the balance does not cover; null where it covers all. */
  readonly runsOutAt: string | null;
};

export type ForecastInput = {
  readonly units: readonly ForecastUnit[];
  readonly price: Credits;
  /** What can be spent now; null where nobody's balance pays for it: nothing runs out then. */
  readonly balance: Credits | null;
  readonly now: string;
  /** Months that begin before this are foreseen. */
  readonly until: string;
};

/**
 * What months of the wanted accounts are going to cost at this price, day by day, if everything is paid when it is due
 * and nothing else happens. What needs a month already needs it now.
 */
export function forecastMonths({ units, price, balance, now, until }: ForecastInput): Forecast {
  const due = new Map<string, Credits>();
  for (const { lapsesAt, anchorDay } of units) {
    let month =
      lapsesAt <= now
        ? monthFrom(now)
        : anchorDay === null
          ? monthFrom(lapsesAt)
          : monthFrom(lapsesAt, anchorDay);
    for (; month.from < until; month = monthFrom(month.until, month.anchorDay)) {
      due.set(month.from, (due.get(month.from) ?? 0n) + price);
    }
  }
  const days = new Map<string, { creditsDue: Credits; balanceAfter: Credits }>();
  let left = balance ?? 0n;
  let runsOutAt: string | null = null;
  for (const [at, creditsDue] of [...due].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (balance !== null) left -= creditsDue;
    if (left < 0n) runsOutAt ??= at;
    const date = at.slice(0, 10);
    const before = days.get(date)?.creditsDue ?? 0n;
    days.set(date, { creditsDue: before + creditsDue, balanceAfter: left });
  }
  return {
    days: [...days].filter(([, { creditsDue }]) => creditsDue > 0n).map(([date, day]) => ({ date, ...day })),
    runsOutAt,
  };
}
