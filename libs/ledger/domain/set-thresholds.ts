import { MICROS_PER_CREDIT, toStored, type Credits } from '#kernel/values/credits.js';
import type { CreditAccount } from './account-state.js';
import { available } from './books.js';
import { billingOf, type CreditDecision } from './credit-account.js';
import type { CreditEvent } from './credits.events.js';

/** Sorted, each once. */
export type WantedThresholds = { readonly credits: readonly Credits[]; readonly days: readonly number[] };

/** Replaces the thresholds; the same again changes nothing. */
export const setThresholds =
  (wanted: WantedThresholds): CreditDecision =>
  (account) => {
    billingOf(account);
    const credits = [...new Set(wanted.credits)].sort((left, right) => Number(right - left)).map(toStored);
    const days = [...new Set(wanted.days)].sort((left, right) => right - left);
    const set = thresholdsOf(account);
    const isSame =
      set.isWatched &&
      same(
        credits,
        set.credits.map(({ credits: threshold }) => toStored(threshold)),
      ) &&
      same(
        days,
        set.days.map(({ days: threshold }) => threshold),
      );
    return isSame ? [] : [{ type: 'ThresholdsSet', data: { credits, days } }];
  };

/** What is told in days, before the day on which the balance ends; `daysLeft` null: none is foreseen. */
export type Outlook = { readonly endsOn: string | null; readonly daysLeft: number | null };

/** Tells armed thresholds in days that the balance is foreseen to end within, and arms those that it is not any more. */
export const tellDaysLeft =
  ({ endsOn, daysLeft }: Outlook): CreditDecision =>
  ({ watch: { marks }, books }) => {
    if (books.billing?.mode !== 'self') return [];
    const balance = toStored(available(books));
    return [...marks.values()].flatMap((mark): CreditEvent[] => {
      if (mark.kind !== 'days') return [];
      const { days, state } = mark;
      const isWithin = endsOn !== null && daysLeft !== null && daysLeft <= days;
      if (isWithin && state === 'armed') return [{ type: 'CreditsLow', data: { days, endsOn, balance } }];
      return !isWithin && state === 'raised' ? [{ type: 'ThresholdArmed', data: { days } }] : [];
    });
  };

/** A lot is told of so long before it ends. */
const EXPIRING_DAYS = 7;
const DAY_MS = 86_400_000;

/** Tells of the lots that end within `EXPIRING_DAYS`, once each, the soonest first. */
export const tellExpiring: CreditDecision = ({ books, watch }, at) => {
  const until = new Date(Date.parse(at) + EXPIRING_DAYS * DAY_MS).toISOString();
  return [...books.lots.values()]
    .flatMap(({ id, free, expiresAt }) =>
      expiresAt === null || expiresAt > until || free === 0n || watch.expiring.has(id)
        ? []
        : [{ movementId: id, credits: toStored(free), expiresAt }],
    )
    .sort((left, right) =>
      left.expiresAt === right.expiresAt
        ? left.movementId - right.movementId
        : left.expiresAt < right.expiresAt
          ? -1
          : 1,
    )
    .map((data) => ({ type: 'CreditsExpiring', data }));
};

/** When the next lot is to be told of, after `now`; null where there is none. */
export function expiringFrom(
  { books, watch }: Pick<CreditAccount, 'books' | 'watch'>,
  now: string,
): string | null {
  const times = [...books.lots.values()].flatMap(({ id, expiresAt }) =>
    expiresAt === null || watch.expiring.has(id)
      ? []
      : [new Date(Date.parse(expiresAt) - EXPIRING_DAYS * DAY_MS).toISOString()],
  );
  const [first = null] = times.filter((time) => time > now).sort();
  return first;
}

/** The thresholds of a ledger, the highest first, and whether each is armed. */
export type Thresholds = {
  readonly isWatched: boolean;
  readonly credits: readonly { readonly credits: Credits; readonly isArmed: boolean }[];
  readonly days: readonly { readonly days: number; readonly isArmed: boolean }[];
  readonly runOut: { readonly below: Credits; readonly isArmed: boolean };
};

/** The thresholds as they are set; none before the first were. */
export function thresholdsOf({ watch: { marks } }: Pick<CreditAccount, 'watch'>): Thresholds {
  const all = [...marks.values()];
  const isArmed = ({ state }: (typeof all)[number]): boolean => state === 'armed';
  return {
    isWatched: all.length > 0,
    credits: all.flatMap((mark) =>
      mark.kind === 'credits' ? [{ credits: mark.threshold, isArmed: isArmed(mark) }] : [],
    ),
    days: all.flatMap((mark) => (mark.kind === 'days' ? [{ days: mark.days, isArmed: isArmed(mark) }] : [])),
    runOut: {
      below: MICROS_PER_CREDIT,
      isArmed: all.some((mark) => mark.kind === 'run out' && isArmed(mark)),
    },
  };
}

const same = <Value>(left: readonly Value[], right: readonly Value[]): boolean =>
  left.length === right.length && left.every((each, index) => each === right[index]);
