import { decider, type Decision } from '#kernel/commands/decider.js';
import type { JsonValue } from '#kernel/values/json.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { capsMayResetAt } from '#ledger/domain/paying-facts.js';
import {
  accountMonitoringEvents,
  type AccountMonitoringEvents,
  type RefusalReason,
} from './account-monitoring.events.js';

/** The progress of a workspace's background work on monitoring. */
export type AccountMonitoring = {
  readonly followedUpTo: number;
  readonly retryAt: string | null;
  /** The number of refusals: a retry that found no uncovered unit must have seen the last refusal. */
  readonly refusals: number;
  /** Beginnings that are not completely written yet. */
  readonly beginning: readonly Beginning[];
  /** The number of beginnings and completions. */
  readonly beginnings: number;
};

/** Accounts that are requested from one time on, because of a list or (null) of picks. */
export type Beginning = { readonly begin: string; readonly listId: number | null; readonly beginsAt: string };

/** A beginning in a snapshot. */
const storedBeginning = (stored: JsonValue): Beginning => {
  const [begin, listId, beginsAt] = Array.isArray(stored) ? stored : [];
  return {
    begin: String(begin),
    listId: typeof listId === 'number' ? listId : null,
    beginsAt: String(beginsAt),
  };
};

type MonitoringDecision = Decision<AccountMonitoring, typeof accountMonitoringEvents>;

/** A blocked workspace waits until it is unblocked, an account until the network learns of its company (MON-62). */
const RESTS: ReadonlySet<RefusalReason> = new Set(['blocked', 'not_observable']);

const SNAPSHOT_EVERY = 500;

export const accountMonitoring = decider<AccountMonitoring>()({
  category: 'accountMonitoring',
  scope: 'workspace',
  strict: true,
  vocabulary: accountMonitoringEvents,
  initial: () => ({ followedUpTo: 0, retryAt: null, refusals: 0, beginning: [], beginnings: 0 }),
  on: {
    MonitoringFollowed: (state, { data }) => ({ ...state, followedUpTo: data.upTo }),
    MonitoringBegins: (state, { data: { begin, listId = null, beginsAt } }) => ({
      ...state,
      beginning: [...state.beginning.filter((each) => each.begin !== begin), { begin, listId, beginsAt }],
      beginnings: state.beginnings + 1,
    }),
    MonitoringBegun: (state, { data }) => ({
      ...state,
      beginning: state.beginning.filter(({ begin }) => !data.begins.includes(begin)),
      beginnings: state.beginnings + 1,
    }),
    MonthsRefused: (state) => ({ ...state, refusals: state.refusals + 1 }),
    MonthsRetrySet: (state, { data }) => ({ ...state, retryAt: data.retryAt }),
    MonthsObservable: (state) => state,
    MonthsRetryAsked: (state) => state,
  },
  snapshot: {
    every: SNAPSHOT_EVERY,
    stateVersion: 1,
    toJson: ({ beginning, ...state }) => ({
      ...state,
      beginning: beginning.map(({ begin, listId, beginsAt }) => [begin, listId, beginsAt]),
    }),
    fromJson: ({ followedUpTo, retryAt, refusals, beginning = [], beginnings = 0 }) => ({
      followedUpTo: Number(followedUpTo),
      retryAt: typeof retryAt === 'string' ? retryAt : null,
      refusals: Number(refusals),
      beginning: Array.isArray(beginning) ? beginning.map(storedBeginning) : [],
      beginnings: Number(beginnings),
    }),
  },
});

/** The requests follow the lists up to this change; an earlier one is ignored. */
export const followed =
  (upTo: number): MonitoringDecision =>
  ({ followedUpTo }) =>
    upTo > followedUpTo ? [{ type: 'MonitoringFollowed', data: { upTo } }] : [];

/**
 * Accounts are about to be requested from one time on. A concurrent beginning because of the same list or of picks
 * writes the same requests, and so gets the same time.
 */
export const begins =
  ({ begin, listId, beginsAt }: Beginning): MonitoringDecision =>
  ({ beginning }) => {
    if (beginning.some((each) => each.begin === begin)) return [];
    const times = beginning.filter((each) => each.listId === listId).map((each) => each.beginsAt);
    const earliest = times.reduce((first, time) => (time < first ? time : first), beginsAt);
    const cause = listId === null ? {} : { listId };
    return [{ type: 'MonitoringBegins', data: { begin, ...cause, beginsAt: earliest } }];
  };

/** All accounts of this beginning are requested now. Idempotent. */
export const begun =
  (ids: readonly string[]): MonitoringDecision =>
  ({ beginning }) => {
    const open = ids.filter((id) => beginning.some(({ begin }) => begin === id));
    return open.length === 0 ? [] : [{ type: 'MonitoringBegun', data: { begins: open } }];
  };

/** The known numbers of grants and similar events, read before the ledger decides about a month. */
export type ReasonsSeen = { readonly wakes: number; readonly reasons: number };

/**
 * Months that could not be paid at their first try, or now for another reason than before. They are retried an hour
 * after the oldest was due, and at once if there is a reason that was not known.
 */
export const refuseMonths =
  (refused: AccountMonitoringEvents['MonthsRefused'], { wakes, reasons }: ReasonsSeen): MonitoringDecision =>
  (state) => {
    const events = [{ type: 'MonthsRefused', data: refused } as const];
    if (RESTS.has(refused.reason)) return [{ type: 'MonthsRefused', data: { ...refused, reasons } }];
    if (state.retryAt !== null) return events;
    const since = refused.units.reduce(
      (oldest, unit) => (unit.since < oldest ? unit.since : oldest),
      refused.triedAt,
    );
    const retryAt = nextTry(since, refused.triedAt, refused.reason === 'cap');
    return [...events, { type: 'MonthsRetrySet', data: { retryAt, wakes, reasons } } as const];
  };

export type Retried = ReasonsSeen & {
  /** Some are still not covered. */
  readonly isLeft: boolean;
  /** A cap does not allow the first of them. */
  readonly isCapped?: boolean;
  /** The number of refusals that the retry knew. */
  readonly refusals: number;
  readonly now: string;
};

/**
 * Uncovered units have been retried: the next retry is a whole number of hours after the last. If all are covered and
 * more was refused meanwhile, another retry is due.
 */
export const retried =
  ({ isLeft, isCapped = false, refusals, wakes, reasons, now }: Retried): MonitoringDecision =>
  (state) => {
    if (!isLeft && state.refusals !== refusals) return [];
    const retryAt = isLeft ? nextTry(state.retryAt ?? now, now, isCapped) : null;
    return [{ type: 'MonthsRetrySet', data: { retryAt, wakes, reasons } }];
  };

/** The network has learned of companies that were not observable: their months are retried at once (MON-62). */
export const retryObservable =
  (observable: AccountMonitoringEvents['MonthsObservable']): MonitoringDecision =>
  () => [{ type: 'MonthsObservable', data: observable }];

/** A price was set: uncovered units are retried at once. The hourly retry does not change. */
export const retryAtNewPrice =
  (now: string): MonitoringDecision =>
  ({ refusals }) =>
    refusals === 0 ? [] : [{ type: 'MonthsRetryAsked', data: { because: 'price', askedAt: now } }];

/** An hour later, or, if a cap refuses, at the earliest end of its period, if that is sooner (CAP-03). */
function nextTry(anchor: string, now: string, isCapped: boolean): string {
  const [hour, reset] = [hourAfter(anchor, now), capsMayResetAt(now)];
  return isCapped && reset < hour ? reset : hour;
}

/** The first whole hour after `anchor` that is later than `now`; the anchor itself if that is later. */
function hourAfter(anchor: string, now: string): string {
  const [anchorMs, nowMs] = [Date.parse(anchor), Date.parse(now)];
  const hours = anchorMs > nowMs ? 0 : Math.floor((nowMs - anchorMs) / HOUR_MS) + 1;
  return new Date(anchorMs + hours * HOUR_MS).toISOString();
}
