import type { CreditEventType } from './credits.events.js';

/** Entries that move credits or set the payer. */
export type MoneyEntry =
  | 'BillingModeSet'
  | 'CreditsGranted'
  | 'LotGranted'
  | 'LotExpired'
  | 'OpeningImported'
  | 'OpeningReversed'
  | 'CreditsWithdrawn'
  | 'CreditsAdjusted'
  | 'LotAdjusted'
  | 'CreditsHeld'
  | 'CreditsCaptured'
  | 'CreditsReleased';

/** One handler for all other entries: rules, limits, seals and notices. They change no sum. */
export const forNotes = <Handler>(handle: Handler) =>
  ({
    RecurringGrantAdded: handle,
    RecurringGrantSkipped: handle,
    RecurringGrantStopped: handle,
    PeriodSealed: handle,
    ChargesStopped: handle,
    CapSet: handle,
    CapRemoved: handle,
    CapReached: handle,
    ThresholdsSet: handle,
    CreditsLow: handle,
    CreditsRunOut: handle,
    ThresholdArmed: handle,
    CreditsExpiring: handle,
    BudgetOpened: handle,
    BudgetClosed: handle,
  }) satisfies { readonly [Note in Exclude<CreditEventType, MoneyEntry>]: Handler };
