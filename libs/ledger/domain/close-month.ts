import { toStored, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { CreditAccount, PeriodSeal } from './account-state.js';
import { billingOf, type CreditDecision } from './credit-account.js';
import { LedgerMoved } from './ledger-moved.js';

/** The state of a ledger at the end of a month. */
export type MonthEnd = {
  readonly month: string;
  readonly closing: Credits;
  /** The last entry recorded before the end, and its seal. */
  readonly revision: number;
  readonly hash: string;
  /** True if a later entry exists. Recorded times never decrease, so that nothing more can come into the month. */
  readonly isComplete: boolean;
};

export const monthNotOver = refusal({
  code: 'month-not-over',
  kind: 'conflicting',
  detail: 'The month is not over yet.',
});

export const monthSealedOtherwise = refusal({
  code: 'month-sealed-otherwise',
  kind: 'conflicting',
  detail: 'The month was sealed with another hash.',
});

export const monthWithoutEntries = refusal({
  code: 'month-without-entries',
  kind: 'unprocessable',
  detail: 'The ledger begins after this month.',
});

/** First moment after a month (`2026-01`) in UTC, RFC 3339 with milliseconds. */
export function endOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString();
}

/** First moment of a month (`2026-01`) in UTC, RFC 3339 with milliseconds. */
const startOfMonth = (month: string): string => `${month}-01T00:00:00.000Z`;

/** The month (UTC) of a recording time. */
export const monthOf = (at: string): string => at.slice(0, 'yyyy-mm'.length);

/** Whether a month has ended at `now`. The end of the last month of 9999 is no time that text can be compared with. */
export const isMonthOver = (month: string, now: string): boolean => month < monthOf(now);

/** The seal of a period that is exactly one closed month; undefined for any other period. */
export function sealOfPeriod(
  { sealedMonths }: CreditAccount,
  from: string | null,
  to: string | null,
): PeriodSeal | undefined {
  const seal = from === null ? undefined : sealedMonths.get(monthOf(from));
  if (seal === undefined || startOfMonth(seal.month) !== from || endOfMonth(seal.month) !== to)
    return undefined;
  return seal;
}

/**
 * Seals a month that is over at `now` (RFC 3339, UTC, milliseconds). Idempotent. Throws `LedgerMoved` if the end was
 * read too early.
 */
export const sealMonth =
  ({ month, closing, revision, hash, isComplete }: MonthEnd, now: string): CreditDecision =>
  (account) => {
    billingOf(account);
    const sealed = account.sealedMonths.get(month);
    if (sealed !== undefined) {
      if (sealed.hash === hash && sealed.revision === revision) return [];
      const found = `was sealed at revision ${sealed.revision} with hash ${sealed.hash}`;
      throw monthSealedOtherwise({ errors: fieldError('month', found) });
    }
    if (!isMonthOver(month, now)) {
      throw monthNotOver({ errors: fieldError('month', `is over at ${endOfMonth(month)}`) });
    }
    if (!isComplete && account.memory.revision !== BigInt(revision)) throw new LedgerMoved();
    return [{ type: 'PeriodSealed', data: { month, closing: toStored(closing), revision, hash } }];
  };
