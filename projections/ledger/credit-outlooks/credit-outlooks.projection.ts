import type { CreditOutlookEvents } from '#ledger/domain/credit-outlook.events.js';
import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { HOUR_MS } from '#kernel/values/durations.js';

/** The latest forecast of how long the balance of a workspace lasts, and when the next forecast is due. */
export type CreditOutlookDocument = {
  readonly workspaceId: number;
  /** Null before the first forecast. */
  readonly foreseenAt: string | null;
  /** The day on which the balance ends; null if no end is forecast. */
  readonly endsOn: string | null;
  /** Null if no forecast is due before the next grant or similar entry. */
  readonly lookAt: string | null;
  /** When an entry last moved the next forecast to an earlier time. */
  readonly changedAt: string;
};

type OutlookPayloads = CreditOutlookEvents &
  Pick<
    CreditPayloads,
    | 'BillingModeSet'
    | 'CreditsGranted'
    | 'LotGranted'
    | 'OpeningImported'
    | 'OpeningReversed'
    | 'CreditsAdjusted'
    | 'LotAdjusted'
    | 'RecurringGrantAdded'
    | 'RecurringGrantStopped'
    | 'ThresholdsSet'
    | 'CreditsHeld'
    | 'CreditsCaptured'
    | 'CreditsReleased'
    | 'CreditsWithdrawn'
    | 'LotExpired'
  >;

export const creditOutlooks = projection<CreditOutlookDocument, OutlookPayloads>()({
  name: 'credit-outlooks',
  version: 4,
  indexes: {
    due: ['lookAt', 'workspaceId'],
    ofWorkspace: ['workspaceId', 'lookAt'],
    byEnd: ['endsOn', 'workspaceId'],
  },
  onlyWith: { due: 'lookAt', ofWorkspace: 'lookAt', byEnd: 'endsOn' },
  key: (event) => String(workspaceIdOf(event)),
  on: {
    BillingModeSet: changed,
    CreditsGranted: changed,
    LotGranted: changed,
    OpeningImported: changed,
    OpeningReversed: changed,
    CreditsAdjusted: changed,
    LotAdjusted: changed,
    RecurringGrantAdded: changed,
    RecurringGrantStopped: changed,
    ThresholdsSet: changed,
    CreditsHeld: spent,
    CreditsCaptured: spent,
    // The balance may have been 0 before the release.
    CreditsReleased: (before, event) =>
      before?.lookAt === null && isOwn(event) ? changed(before, event) : spent(before, event),
    CreditsWithdrawn: spent,
    LotExpired: spent,
    CreditsForeseen: (before, event) => {
      const { at, endsOn, lookAt } = event.data;
      const changedAt = before?.changedAt ?? at;
      // The forecast may have read the ledger before the last change.
      const next = changedAt >= at ? earlier(lookAt, hourAfter(changedAt)) : lookAt;
      return { workspaceId: workspaceIdOf(event), foreseenAt: at, endsOn, lookAt: next, changedAt };
    },
  },
});

/** After a change the forecast is due within an hour, or earlier if it was already due earlier. */
function changed(before: CreditOutlookDocument | null, event: Recorded<unknown>): CreditOutlookDocument {
  const changedAt = recordedAtOf(event);
  const lookAt = earlier(before?.lookAt ?? null, hourAfter(changedAt));
  const { foreseenAt = null, endsOn = null } = before ?? {};
  return { workspaceId: workspaceIdOf(event), foreseenAt, endsOn, lookAt, changedAt };
}

/**
 * Use moves the next forecast to within an hour. If it is already due by then nothing is written, so that a busy
 * ledger costs one document per forecast. A forecast that is due may have read the ledger before this entry.
 */
function spent(before: CreditOutlookDocument | null, event: Recorded<object>): CreditOutlookDocument | null {
  if (before === null || before.lookAt === null || !isOwn(event)) return before;
  const at = recordedAtOf(event);
  if (before.lookAt <= at) return before.changedAt === at ? before : { ...before, changedAt: at };
  return before.lookAt <= hourAfter(at) ? before : { ...before, lookAt: hourAfter(at), changedAt: at };
}

/**
 * Credits that a partner pays do not change the balance. An entry that does not name its payer may be the workspace's
 * own.
 */
const isOwn = ({ data }: Recorded<object>): boolean => !('payer' in data) || data.payer === 'workspace';

const hourAfter = (time: string): string => new Date(Date.parse(time) + HOUR_MS).toISOString();

const earlier = (one: string | null, other: string): string => (one !== null && one < other ? one : other);
