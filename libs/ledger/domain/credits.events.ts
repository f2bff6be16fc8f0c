import { event, type EventOf, type Immutable, type PayloadsOf, type Recorded } from '#kernel/events/event.js';
import { Day, Id, Month, OneOf, StoredCredits, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** Who pays for a movement: the workspace or its partner. Fixed when the movement is made. */
export const PayerSchema = Type.Unsafe<'workspace' | `partner:${number}`>({
  type: 'string',
  pattern: '^(workspace|partner:[1-9][0-9]*)$',
});
export type Payer = Static<typeof PayerSchema>;

/** What a charge is for. The ids that are present name the objects involved. */
export const CauseSchema = Type.Object({
  kind: OneOf('signal', 'enrichment', 'profile', 'account', 'monitoring', 'operator'),
  launchId: Type.Optional(Id),
  runId: Type.Optional(Id),
  /** The run whose row in lists adds up this one (LIV-05); absent: the run itself. */
  shownRunId: Type.Optional(Id),
  setupId: Type.Optional(Id),
  agentId: Type.Optional(Id),
  /** The API key whose launch or call is charged; absent if no key made the call. */
  keyId: Type.Optional(Id),
  subject: Type.Optional(Type.String()),
  requestId: Type.Optional(Id),
  companyId: Type.Optional(Id),
  personaId: Type.Optional(Id),
  /** Monitored month, `2026-07`, with the paid period (from, until) and the day from which it is counted. */
  month: Type.Optional(Type.String()),
  from: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  anchorDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
  /**
   * The time since which the account was not covered, if this month covers it again; absent if it was covered or is
   * new.
   */
  notCoveredSince: Type.Optional(Timestamp),
});
export type Cause = Static<typeof CauseSchema>;

/** What a cap limits: the whole workspace, one setup, one agent, or the calls of one API key. */
const CapScopeSchema = OneOf('workspace', 'setup', 'agent', 'key');
export type CapScope = Static<typeof CapScopeSchema>;
/** Callers of the workspace see, but cannot change, a cap set by an operator. */
const CapSetterSchema = OneOf('workspace', 'operator');
export type CapSetter = Static<typeof CapSetterSchema>;
const cap = {
  capId: Id,
  scope: CapScopeSchema,
  /** Absent if the scope is the workspace. */
  scopeId: Type.Optional(Id),
  /** Calendar day, ISO week or calendar month in UTC. */
  period: OneOf('day', 'week', 'month'),
  limit: StoredCredits,
};

/** The maximum number of thresholds of each kind in a workspace. */
export const MOST_THRESHOLDS = 10;

/**
 * The part of an amount that comes from a lot with terms or returns to it; `movementId` granted the lot. The rest of
 * the amount is credit without terms.
 */
const ShareSchema = Type.Object({
  lot: Id,
  credits: StoredCredits,
  expiresAt: Type.Optional(Timestamp),
});
export type StoredShare = Immutable<Static<typeof ShareSchema>>;
const Shares = Type.Optional(Type.Array(ShareSchema, { minItems: 1 }));

const Priority = Type.Integer({ minimum: 0, maximum: 100 });

/** Limits the lots that every hold has to check. */
export const MOST_OPENING_LOTS = 1_000;

/** The rest of one grant in another system. Its place in the order of spending follows the time of that grant. */
const OpeningLot = Type.Object({
  lot: Id,
  credits: StoredCredits,
  expiresAt: Type.Optional(Timestamp),
  priority: Priority,
  promotional: Type.Boolean(),
  grantedAt: Timestamp,
});

/** How long granted credits can be spent: days of 24 hours, or calendar months. */
const Lifetime = Type.Object({
  unit: OneOf('day', 'month'),
  count: Type.Integer({ minimum: 1, maximum: 1_200 }),
});

/** Grants, withdrawals and adjustments: rows of the statement, with a movement id. */
const posting = {
  movementId: Id,
  /** Chosen by the caller; a repeated request with the same key makes one posting. */
  key: Type.Optional(Type.String({ minLength: 1 })),
  credits: StoredCredits,
  reason: Type.String(),
};

/** The terms of a separate lot. */
const lotTerms = {
  expiresAt: Type.Optional(Timestamp),
  priority: Priority,
  promotional: Type.Boolean(),
};

/** The movement that an adjustment corrects, and the reason why the corrections exceed that movement. */
const correcting = {
  corrects: Type.Optional(Id),
  beyond: Type.Optional(Type.String({ minLength: 1 })),
};

/** The lots that credits are taken back from, and the lot that the caller named, if any. */
const taking = { lots: Shares, lot: Type.Optional(Id) };

const settlement = {
  movementId: Id,
  key: Type.String({ minLength: 1 }),
  reason: Type.Optional(Type.String()),
  /** Amount and payer of the hold, if the hold says that its end carries them. */
  credits: Type.Optional(StoredCredits),
  payer: Type.Optional(PayerSchema),
};

export const creditEvents = {
  BillingModeSet: event(
    Type.Object({ billing: OneOf('self', 'partner', 'exempt'), partnerId: Type.Optional(Id) }),
  ),
  CreditsGranted: event(Type.Object(posting)),
  /**
   * A grant with terms is a separate lot. A program that does not know lots stops here, because it would spend
   * expired credits.
   */
  LotGranted: event(
    Type.Object({
      ...posting,
      ...lotTerms,
      /** The recurring grant that gave the lot, and the time at which it was due. */
      recurring: Type.Optional(Type.Object({ rule: Id, due: Timestamp })),
    }),
  ),
  /**
   * The credits of a workspace in another system, as its first movement. Imported once, and again only after a
   * reversal. A program that does not know imports stops here, because it would charge work that was paid for
   * elsewhere.
   */
  OpeningImported: event(
    Type.Object({
      movementId: Id,
      /** All available credits. Credits that belong to no lot are credit without terms. */
      credits: StoredCredits,
      reason: Type.String({ minLength: 1 }),
      lots: Type.Optional(Type.Array(OpeningLot, { minItems: 1, maxItems: MOST_OPENING_LOTS })),
      /** The file that was imported: its SHA-256, and the system and closing time that it names. */
      source: Type.Object({
        hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        system: Type.String({ minLength: 1 }),
        closedAt: Timestamp,
      }),
      /**
       * How many subjects were paid for there, and over how many streams they are spread; absent if there are none.
       */
      paid: Type.Optional(
        Type.Object({ count: Type.Integer({ minimum: 1 }), streams: Type.Integer({ minimum: 1 }) }),
      ),
      /** Things that the file lists and no entry has: open holds with their sum, and ended movements. */
      left: Type.Object({
        openHolds: Type.Integer({ minimum: 0 }),
        held: StoredCredits,
        history: Type.Integer({ minimum: 0 }),
      }),
    }),
  ),
  /** Takes back everything that an opening brought. Subjects paid for elsewhere are charged again from here on. */
  OpeningReversed: event(
    Type.Object({
      movementId: Id,
      credits: StoredCredits,
      reason: Type.String({ minLength: 1 }),
      /** The movement of the opening. */
      reverses: Id,
      lots: Shares,
    }),
  ),
  /** The free credits of a lot (`movementId` granted it) at its expiry, or credits that returned to it later. */
  LotExpired: event(Type.Object({ movementId: Id, credits: StoredCredits, expiresAt: Timestamp })),
  CreditsWithdrawn: event(Type.Object({ ...posting, ...taking })),
  /**
   * A recurring grant: first at `from`, then every day, week or month, before `until`. Rules are numbered within
   * their ledger. A program that does not know them stops here.
   */
  RecurringGrantAdded: event(
    Type.Object({
      rule: Id,
      credits: StoredCredits,
      reason: Type.String({ minLength: 1 }),
      every: OneOf('day', 'week', 'month'),
      from: Timestamp,
      until: Type.Optional(Timestamp),
      lifetime: Type.Optional(Lifetime),
      priority: Priority,
      promotional: Type.Boolean(),
      /** The maximum of free and held credits that come from this rule. */
      ceiling: Type.Optional(StoredCredits),
      /** A repetition with the same key adds nothing. */
      key: Type.Optional(Type.String({ minLength: 1 })),
    }),
  ),
  /**
   * A due grant that was skipped: its lot would already have expired, or the ceiling, the number of open lots or the
   * total of the workspace is reached.
   */
  RecurringGrantSkipped: event(
    Type.Object({ rule: Id, due: Timestamp, why: OneOf('over', 'ceiling', 'lots', 'total') }),
  ),
  RecurringGrantStopped: event(
    Type.Object({ rule: Id, reason: Type.Optional(Type.String({ minLength: 1 })) }),
  ),
  /**
   * `credits` is signed; `corrects` is the movement that was wrong. `beyond` is the reason why the corrections exceed
   * the movement; without a reason they never do.
   */
  CreditsAdjusted: event(Type.Object({ ...posting, ...taking, ...correcting })),
  /**
   * An adjustment that adds credits with terms is a separate lot, like a grant with terms. A program that does not
   * know it stops here, because it would spend expired credits.
   */
  LotAdjusted: event(Type.Object({ ...posting, ...lotTerms, ...correcting })),
  /** Ends of version 1 do not carry the amount, so a fold has to remember open holds. */
  CreditsHeld: event(
    Type.Object({
      movementId: Id,
      /** Charge key, derived from the cause; one movement per key, for ever. */
      key: Type.String({ minLength: 1 }),
      credits: StoredCredits,
      product: Type.String({ minLength: 1 }),
      payer: PayerSchema,
      cause: CauseSchema,
      /** Its end carries `credits` and `payer`, so a fold need not remember this hold. */
      endCarriesAmount: Type.Optional(Type.Literal(true)),
      lots: Shares,
    }),
    [(held) => held],
  ),
  CreditsCaptured: event(Type.Object(settlement)),
  CreditsReleased: event(Type.Object({ ...settlement, lots: Shares })),
  /**
   * Month close: the available credits at the end of the month (UTC), and the last entry recorded before its end with
   * its seal. Recorded times never decrease, so nothing can come into a month after its seal.
   */
  PeriodSealed: event(
    Type.Object({
      month: Month,
      closing: StoredCredits,
      revision: Type.Integer({ minimum: 0 }),
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  /**
   * Another stream has ended something that is charged for. Charges prepared before this entry are prepared again. It
   * moves no credits.
   */
  ChargesStopped: event(Type.Object({ stream: Type.String({ minLength: 1 }) })),
  /**
   * Sets a cap, or replaces the cap with this id. A program that does not know caps stops here, because it would
   * exceed them.
   */
  CapSet: event(
    Type.Object({
      ...cap,
      setBy: CapSetterSchema,
      /** Captured in the running period before the cap began to count; absent if that is nothing. */
      spentBefore: Type.Optional(StoredCredits),
    }),
  ),
  CapRemoved: event(Type.Object({ capId: Id })),
  /** Once per cap and period: the cap is used up, or it has cut off a charge. It moves no credits. */
  CapReached: event(Type.Object({ ...cap, spent: StoredCredits, resetsAt: Timestamp })),
  /**
   * Replaces the balance thresholds of the workspace: in credits, and in days before the forecast end. From the first
   * such entry on, the end of the balance is notified too.
   */
  ThresholdsSet: event(
    Type.Object({
      credits: Type.Array(StoredCredits, { maxItems: MOST_THRESHOLDS }),
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 90 }), { maxItems: MOST_THRESHOLDS }),
    }),
  ),
  /**
   * Once per arming: the balance fell to `credits`, in the append that caused it; or it is forecast to end on
   * `endsOn`, within `days`. It moves no credits.
   */
  CreditsLow: event(
    Type.Object({
      credits: Type.Optional(StoredCredits),
      days: Type.Optional(Type.Integer({ minimum: 1 })),
      endsOn: Type.Optional(Day),
      balance: StoredCredits,
    }),
  ),
  /** Once per arming, in the append that brought the balance below one credit. It moves no credits. */
  CreditsRunOut: event(Type.Object({ balance: StoredCredits })),
  /** After credits were added, the balance is again forecast to last longer than `days`. */
  ThresholdArmed: event(Type.Object({ days: Type.Integer({ minimum: 1 }) })),
  /** Once per lot (`movementId` granted it), some days before it expires: its free credits. It moves no credits. */
  CreditsExpiring: event(Type.Object({ movementId: Id, credits: StoredCredits, expiresAt: Timestamp })),
  /**
   * The maximum that a launch may spend, recorded with its first hold. A program that does not know budgets stops
   * here.
   */
  BudgetOpened: event(
    Type.Object({
      launchId: Id,
      credits: StoredCredits,
      /** The nonce of the quote that approved the launch. */
      quote: Type.Optional(Type.String({ minLength: 1 })),
    }),
  ),
  /** The launch has ended, so nothing more is held for it. */
  BudgetClosed: event(Type.Object({ launchId: Id })),
};

export type CreditPayloads = PayloadsOf<typeof creditEvents>;
/** A decided credit event. */
export type CreditEvent = EventOf<CreditPayloads>;
export type CreditEventType = keyof CreditPayloads;
/** A recorded credit event of one type, or of any type. */
export type LedgerEntry<Type extends CreditEventType = CreditEventType> = {
  [T in Type]: Recorded<CreditPayloads[T]> & { readonly type: T };
}[Type];
