import { MICROS_PER_CREDIT, toStored, type Credits } from '#kernel/values/credits.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { CreditAccount } from './account-state.js';
import { available } from './books.js';
import { billingOf, chargesMark, type CreditDecision } from './credit-account.js';
import type { CreditEvent } from './credits.events.js';
import { compareText } from './lots.js';

/** Sorted and without duplicates. */
export type WantedThresholds = { readonly credits: readonly Credits[]; readonly days: readonly number[] };

/** Replaces the thresholds. Idempotent. */
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

/**
 * The forecast that thresholds in days are compared with; `daysLeft` is null if no end is forecast. `mark` is the
 * `chargesMark` of the ledger that was forecast.
 */
export type Outlook = {
  readonly endsOn: string | null;
  readonly daysLeft: number | null;
  readonly mark: bigint;
};

/** Whether credits were added or taken back since a ledger was forecast, or the payer may have changed; not its use. */
export const isForecastOld = (
  account: Pick<CreditAccount, 'memory'>,
  { mark }: Pick<Outlook, 'mark'>,
): boolean => chargesMark(account) !== mark;

/**
 * Notifies armed thresholds in days if the balance is forecast to end within them, and arms those that it no longer
 * ends within. An old forecast notifies nothing: a grant during the forecast arms only thresholds that were notified
 * before it, so that the threshold would stay silent when the balance really ends.
 */
export const notifyDaysLeft =
  (outlook: Outlook): CreditDecision =>
  (account) => {
    const { endsOn, daysLeft } = outlook;
    const {
      watch: { marks },
      books,
    } = account;
    if (books.billing?.mode !== 'self' || isForecastOld(account, outlook)) return [];
    const balance = toStored(available(books));
    return [...marks.values()].flatMap((mark): CreditEvent[] => {
      if (mark.kind !== 'days') return [];
      const { days, state } = mark;
      const isWithin = endsOn !== null && daysLeft !== null && daysLeft <= days;
      if (isWithin && state === 'armed') return [{ type: 'CreditsLow', data: { days, endsOn, balance } }];
      return !isWithin && state === 'raised' ? [{ type: 'ThresholdArmed', data: { days } }] : [];
    });
  };

/** A lot is notified this long before it expires. */
const EXPIRING_DAYS = 7;

/** Notifies the lots that expire within `EXPIRING_DAYS`, once each, soonest first. */
export const notifyExpiring: CreditDecision = ({ books, watch }, at) => {
  const until = new Date(Date.parse(at) + EXPIRING_DAYS * DAY_MS).toISOString();
  return [...books.lots.values()]
    .flatMap(({ id, free, expiresAt }) =>
      expiresAt === null || expiresAt > until || free === 0n || watch.expiring.has(id)
        ? []
        : [{ movementId: id, credits: toStored(free), expiresAt }],
    )
    .sort((left, right) => compareText(left.expiresAt, right.expiresAt) || left.movementId - right.movementId)
    .map((data) => ({ type: 'CreditsExpiring', data }));
};

/** When the next lot is to be notified, after `now`; null if there is none. */
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

/** The thresholds of a ledger, highest first, and whether each is armed. */
export type Thresholds = {
  readonly isWatched: boolean;
  readonly credits: readonly { readonly credits: Credits; readonly isArmed: boolean }[];
  readonly days: readonly { readonly days: number; readonly isArmed: boolean }[];
  readonly runOut: { readonly below: Credits; readonly isArmed: boolean };
};

/** The current thresholds; none before they are set for the first time. */
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
