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
  /** When credits were added last, or who pays or what is told was changed. */
  readonly changedAt: string;
};

type OutlookPayloads = CreditOutlookEvents &
  Pick<
    CreditPayloads,
    'BillingModeSet' | 'CreditsGranted' | 'LotGranted' | 'CreditsAdjusted' | 'ThresholdsSet'
  >;

const HOUR_MS = 3_600_000;

export const creditOutlooks = projection<CreditOutlookDocument, OutlookPayloads>()({
  name: 'credit-outlooks',
  version: 1,
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
    CreditsAdjusted: changed,
    ThresholdsSet: changed,
    CreditsForeseen: (before, event) => {
      const { at, endsOn, lookAt } = event.data;
      const changedAt = before?.changedAt ?? at;
      // The look may have begun before the last change.
      const next = changedAt > at ? earlier(lookAt, hourAfter(changedAt)) : lookAt;
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

const hourAfter = (time: string): string => new Date(Date.parse(time) + HOUR_MS).toISOString();

const earlier = (one: string | null, other: string): string => (one !== null && one < other ? one : other);
