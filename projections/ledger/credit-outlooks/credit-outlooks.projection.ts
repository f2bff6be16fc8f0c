import type { CreditOutlookEvents } from '#ledger/domain/credit-outlook.events.js';
import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** How long the balance of a workspace lasts, as it was foreseen last, and when it is looked at again. */
export type CreditOutlookDocument = {
  readonly workspaceId: number;
  /** Null before the first look. */
  readonly foreseenAt: string | null;
  /** The day on which the balance ends; null where none is foreseen. */
  readonly endsOn: string | null;
  /** Null where nothing is to be looked at before the next grant and the like. */
  readonly lookAt: string | null;
  /** When an entry last brought the next look forward. */
  readonly changedAt: string;
};

type OutlookPayloads = CreditOutlookEvents &
  Pick<
    CreditPayloads,
    | 'BillingModeSet'
    | 'CreditsGranted'
    | 'LotGranted'
    | 'OpeningImported'
    | 'CreditsAdjusted'
    | 'RecurringGrantAdded'
    | 'RecurringGrantStopped'
    | 'ThresholdsSet'
    | 'CreditsHeld'
    | 'CreditsCaptured'
    | 'CreditsReleased'
    | 'CreditsWithdrawn'
    | 'LotExpired'
  >;

const HOUR_MS = 3_600_000;

export const creditOutlooks = projection<CreditOutlookDocument, OutlookPayloads>()({
  name: 'credit-outlooks',
  version: 2,
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
    CreditsAdjusted: changed,
    RecurringGrantAdded: changed,
    RecurringGrantStopped: changed,
    ThresholdsSet: changed,
    CreditsHeld: spent,
    CreditsCaptured: spent,
    // It may be what a balance of 0 has again.
    CreditsReleased: (before, event) =>
      before?.lookAt === null && isOwn(event) ? changed(before, event) : spent(before, event),
    CreditsWithdrawn: spent,
    LotExpired: spent,
    CreditsForeseen: (before, event) => {
      const { at, endsOn, lookAt } = event.data;
      const changedAt = before?.changedAt ?? at;
      // The look may have begun before the last change.
      const next = changedAt >= at ? earlier(lookAt, hourAfter(changedAt)) : lookAt;
      return { workspaceId: workspaceIdOf(event), foreseenAt: at, endsOn, lookAt: next, changedAt };
    },
  },
});

/** An hour after a change the balance is looked at, or at the time at which it is due already. */
function changed(before: CreditOutlookDocument | null, event: Recorded<unknown>): CreditOutlookDocument {
  const changedAt = recordedAtOf(event);
  const lookAt = earlier(before?.lookAt ?? null, hourAfter(changedAt));
  const { foreseenAt = null, endsOn = null } = before ?? {};
  return { workspaceId: workspaceIdOf(event), foreseenAt, endsOn, lookAt, changedAt };
}

/**
 * What is used brings the next look to within an hour. Where that is so already nothing is written: a busy ledger costs one
 * document a look. A look that is due may have begun before this entry.
 */
function spent(before: CreditOutlookDocument | null, event: Recorded<object>): CreditOutlookDocument | null {
  if (before === null || before.lookAt === null || !isOwn(event)) return before;
  const at = recordedAtOf(event);
  if (before.lookAt <= at) return before.changedAt === at ? before : { ...before, changedAt: at };
  return before.lookAt <= hourAfter(at) ? before : { ...before, lookAt: hourAfter(at), changedAt: at };
}

/** What a partner pays changes no balance. An entry that does not say who pays may be of the workspace. */
const isOwn = ({ data }: Recorded<object>): boolean => !('payer' in data) || data.payer === 'workspace';

const hourAfter = (time: string): string => new Date(Date.parse(time) + HOUR_MS).toISOString();

const earlier = (one: string | null, other: string): string => (one !== null && one < other ? one : other);
