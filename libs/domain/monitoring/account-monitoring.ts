import { decider, type Decision } from '#kernel/commands/decider.js';
import { accountMonitoringEvents, type AccountMonitoringEvents } from './account-monitoring.events.js';

/** How far the background work of a workspace's monitoring got. */
export type AccountMonitoring = {
  readonly followedUpTo: number;
  readonly retryAt: string | null;
  /** How often months were refused: who found nothing left to retry must have seen the last time. */
  readonly refusals: number;
};

type MonitoringDecision = Decision<AccountMonitoring, typeof accountMonitoringEvents>;

const HOUR_MS = 60 * 60 * 1_000;
const SNAPSHOT_EVERY = 500;

export const accountMonitoring = decider<AccountMonitoring>()({
  category: 'accountMonitoring',
  scope: 'workspace',
  strict: true,
  vocabulary: accountMonitoringEvents,
  initial: () => ({ followedUpTo: 0, retryAt: null, refusals: 0 }),
  on: {
    MonitoringFollowed: (state, { data }) => ({ ...state, followedUpTo: data.upTo }),
    MonthsRefused: (state) => ({ ...state, refusals: state.refusals + 1 }),
    MonthsRetrySet: (state, { data }) => ({ ...state, retryAt: data.retryAt }),
    MonthsRetryAsked: (state) => state,
  },
  snapshot: {
    every: SNAPSHOT_EVERY,
    stateVersion: 1,
    toJson: (state) => state,
    fromJson: ({ followedUpTo, retryAt, refusals }) => ({
      followedUpTo: Number(followedUpTo),
      retryAt: typeof retryAt === 'string' ? retryAt : null,
      refusals: Number(refusals),
    }),
  },
});

/** What is wanted follows the lists up to this change; an earlier one says nothing new. */
export const followed =
  (upTo: number): MonitoringDecision =>
  ({ followedUpTo }) =>
    upTo > followedUpTo ? [{ type: 'MonitoringFollowed', data: { upTo } }] : [];

/** Months that could not be paid at their first try. They are tried again an hour after the oldest was due. */
export const refuseMonths =
  (refused: AccountMonitoringEvents['MonthsRefused'], wakes: number): MonitoringDecision =>
  ({ retryAt }) => {
    const events = [{ type: 'MonthsRefused', data: refused } as const];
    // What is blocked rests until it is unblocked.
    if (retryAt !== null || refused.reason === 'blocked') return events;
    const since = refused.units.reduce(
      (oldest, unit) => (unit.since < oldest ? unit.since : oldest),
      refused.triedAt,
    );
    return [
      ...events,
      { type: 'MonthsRetrySet', data: { retryAt: hourAfter(since, refused.triedAt), wakes } } as const,
    ];
  };

export type Retried = {
  /** Some are still not covered. */
  readonly isLeft: boolean;
  /** How often months had been refused, as far as the retry knew. */
  readonly refusals: number;
  readonly wakes: number;
  readonly now: string;
};

/** What was not covered has been tried again: the next try is a whole number of hours after the last. */
export const retried =
  ({ isLeft, refusals, wakes, now }: Retried): MonitoringDecision =>
  (state) => {
    const goesOn = isLeft || state.refusals !== refusals;
    const retryAt = goesOn ? hourAfter(state.retryAt ?? now, now) : null;
    return [{ type: 'MonthsRetrySet', data: { retryAt, wakes } }];
  };

/** A price was set: what is not covered is tried at once. Its hours go on as they did. */
export const retryAtNewPrice =
  (now: string): MonitoringDecision =>
  ({ refusals }) =>
    refusals === 0 ? [] : [{ type: 'MonthsRetryAsked', data: { because: 'price', askedAt: now } }];

/** The first whole hour after `anchor` that is later than `now`; the anchor itself where that is later. */
function hourAfter(anchor: string, now: string): string {
  const [anchorMs, nowMs] = [Date.parse(anchor), Date.parse(now)];
  const hours = anchorMs > nowMs ? 0 : Math.floor((nowMs - anchorMs) / HOUR_MS) + 1;
  return new Date(anchorMs + hours * HOUR_MS).toISOString();
}
