import { event, type EventOf, type Immutable, type PayloadsOf, type Recorded } from '#kernel/events/event.js';
import { Day, Id, OneOf, StoredCredits, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** Who a movement is charged to: the workspace itself or its partner. Fixed when the movement is made. */
export const PayerSchema = Type.Unsafe<'workspace' | `partner:${number}`>({
  type: 'string',
  pattern: '^(workspace|partner:[1-9][0-9]*)$',
});
export type Payer = Static<typeof PayerSchema>;

/** What a charge is for. The ids that are present say where to drill down. */
export const CauseSchema = Type.Object({
  kind: OneOf('signal', 'enrichment', 'profile', 'account', 'monitoring', 'operator'),
  launchId: Type.Optional(Id),
  runId: Type.Optional(Id),
  setupId: Type.Optional(Id),
  agentId: Type.Optional(Id),
  /** The API key whose launch or call is charged; absent where no key asked for it. */
  keyId: Type.Optional(Id),
  subject: Type.Optional(Type.String()),
  requestId: Type.Optional(Id),
  companyId: Type.Optional(Id),
  personaId: Type.Optional(Id),
  /** Monitored month, `2026-07`, with what was paid for: from when until when, and the day it is counted from. */
  month: Type.Optional(Type.String()),
  from: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  anchorDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
  /** Since when the account was not covered that the month covers again; absent where it was covered or is new. */
  notCoveredSince: Type.Optional(Timestamp),
});
export type Cause = Static<typeof CauseSchema>;

/** What a cap limits: all of the workspace, one setup, one agent, or what one API key asks for. */
const CapScopeSchema = OneOf('workspace', 'setup', 'agent', 'key');
export type CapScope = Static<typeof CapScopeSchema>;
/** Callers of the workspace see and cannot change what an operator has set. */
const CapSetterSchema = OneOf('workspace', 'operator');
export type CapSetter = Static<typeof CapSetterSchema>;
const cap = {
  capId: Id,
  scope: CapScopeSchema,
  /** Absent where the scope is the workspace. */
  scopeId: Type.Optional(Id),
  /** Calendar day, ISO week or calendar month in UTC. */
  period: OneOf('day', 'week', 'month'),
  limit: StoredCredits,
};

/** Most thresholds of each kind that a workspace has. */
export const MOST_THRESHOLDS = 10;

/** A calendar month in UTC, `2026-07`. */
const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });

/**
 * What of an amount comes from a lot with terms (the movement that granted it), or goes back to it. What no share names is
 * credit without terms.
 */
const ShareSchema = Type.Object({
  lot: Id,
  credits: StoredCredits,
  expiresAt: Type.Optional(Timestamp),
});
export type StoredShare = Immutable<Static<typeof ShareSchema>>;
const Shares = Type.Optional(Type.Array(ShareSchema, { minItems: 1 }));

const Priority = Type.Integer({ minimum: 0, maximum: 100 });

/** More would make every hold look through too many. */
export const MOST_OPENING_LOTS = 1_000;

/** What was left of one grant in another system; its place in the order of spending goes by the time of that grant. */
const OpeningLot = Type.Object({
  lot: Id,
  credits: StoredCredits,
  expiresAt: Type.Optional(Timestamp),
  priority: Priority,
  promotional: Type.Boolean(),
  grantedAt: Timestamp,
});

/** How long what is granted can be spent: days of 24 hours, or calendar months. */
const Lifetime = Type.Object({
  unit: OneOf('day', 'month'),
  count: Type.Integer({ minimum: 1, maximum: 1_200 }),
});

/** Grants, withdrawals and adjustments: rows of the statement, with an id like any movement. */
const posting = {
  movementId: Id,
  /** Makes a repeated request one posting; chosen by the caller. */
  key: Type.Optional(Type.String({ minLength: 1 })),
  credits: StoredCredits,
  reason: Type.String(),
};

/** What takes credits back: out of which lots, and the one that was named, if one was. */
const taking = { lots: Shares, lot: Type.Optional(Id) };

const settlement = {
  movementId: Id,
  key: Type.String({ minLength: 1 }),
  reason: Type.Optional(Type.String()),
  /** What was held and who pays it, where its hold says that its end carries them. */
  credits: Type.Optional(StoredCredits),
  payer: Type.Optional(PayerSchema),
};

export const creditEvents = {
  BillingModeSet: event(
    Type.Object({ billing: OneOf('self', 'partner', 'exempt'), partnerId: Type.Optional(Id) }),
  ),
  CreditsGranted: event(Type.Object(posting)),
  /**
   * A grant with terms is a lot of its own. A program that does not know lots stops here: it would spend what has
   * expired.
   */
  LotGranted: event(
    Type.Object({
      ...posting,
      expiresAt: Type.Optional(Timestamp),
      priority: Priority,
      promotional: Type.Boolean(),
      /** The recurring grant that gave it, and the time at which it was due. */
      recurring: Type.Optional(Type.Object({ rule: Id, due: Timestamp })),
    }),
  ),
  /**
   * What a workspace had in another system, as its first movement: once, and again only where the one before was
   * reversed. A program that does not know imports stops here: it would charge what was paid elsewhere.
   */
  OpeningImported: event(
    Type.Object({
      movementId: Id,
      /** All that can be spent. What no lot has is credit without terms. */
      credits: StoredCredits,
      reason: Type.String({ minLength: 1 }),
      lots: Type.Optional(Type.Array(OpeningLot, { minItems: 1, maxItems: MOST_OPENING_LOTS })),
      /** The file that it was read from: SHA-256 of its bytes, and what it says of the system and the time of its closing. */
      source: Type.Object({
        hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        system: Type.String({ minLength: 1 }),
        closedAt: Timestamp,
      }),
      /** How many things were paid there already, and over how many streams they are spread; absent where there are none. */
      paid: Type.Optional(
        Type.Object({ count: Type.Integer({ minimum: 1 }), streams: Type.Integer({ minimum: 1 }) }),
      ),
      /** What the file lists and no entry has: open holds with what they come to, and movements that were over. */
      left: Type.Object({
        openHolds: Type.Integer({ minimum: 0 }),
        held: StoredCredits,
        history: Type.Integer({ minimum: 0 }),
      }),
    }),
  ),
  /** Takes back all that an opening brought. What it names as paid elsewhere is charged again from here on. */
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
  /** What was free of a lot (`movementId` granted it) when it ended; or came back to it afterwards. */
  LotExpired: event(Type.Object({ movementId: Id, credits: StoredCredits, expiresAt: Timestamp })),
  CreditsWithdrawn: event(Type.Object({ ...posting, ...taking })),
  /**
   * Credits that are granted again and again: first at `from`, then every day, week or month, before `until`. Rules are
   * numbered within their ledger. A program that does not know them stops here.
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
      /** What may be free and held of it together, at most. */
      ceiling: Type.Optional(StoredCredits),
      /** Who adds it again with the same key adds nothing. */
      key: Type.Optional(Type.String({ minLength: 1 })),
    }),
  ),
  /**
   * What was due and gives nothing: its lot would be over already, or its ceiling, the open lots or the total of the
   * workspace leave no room.
   */
  RecurringGrantSkipped: event(
    Type.Object({ rule: Id, due: Timestamp, why: OneOf('over', 'ceiling', 'lots', 'total') }),
  ),
  RecurringGrantStopped: event(
    Type.Object({ rule: Id, reason: Type.Optional(Type.String({ minLength: 1 })) }),
  ),
  /**
   * `credits` is signed; `corrects` is the movement that was wrong. `beyond`: why its corrections come to more than the
   * movement itself, which they never do otherwise.
   */
  CreditsAdjusted: event(
    Type.Object({
      ...posting,
      ...taking,
      corrects: Type.Optional(Id),
      beyond: Type.Optional(Type.String({ minLength: 1 })),
    }),
  ),
  /** Ends of version 1 do not tell their amount: who sums up remembers what is open. */
  CreditsHeld: event(
    Type.Object({
      movementId: Id,
      /** Charge key, derived from the cause; one movement a key, for ever. */
      key: Type.String({ minLength: 1 }),
      credits: StoredCredits,
      product: Type.String({ minLength: 1 }),
      payer: PayerSchema,
      cause: CauseSchema,
      /** Its end carries `credits` and `payer` itself: whoever sums up need not remember this hold. */
      endCarriesAmount: Type.Optional(Type.Literal(true)),
      lots: Shares,
    }),
    [(held) => held],
  ),
  CreditsCaptured: event(Type.Object(settlement)),
  CreditsReleased: event(Type.Object({ ...settlement, lots: Shares })),
  /**
   * Month close: what could be spent when the month (UTC) was over, and the last entry recorded before its end
   * with its seal. Recording times never go back, so nothing can come into a month after its seal.
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
   * Another stream has ended something that is charged for. Charges that were prepared before this entry are prepared
   * again. It moves no credits.
   */
  ChargesStopped: event(Type.Object({ stream: Type.String({ minLength: 1 }) })),
  /** A cap is set, or the cap of this id replaced. A program that does not know caps stops here: it would exceed them. */
  CapSet: event(Type.Object({ ...cap, setBy: CapSetterSchema })),
  CapRemoved: event(Type.Object({ capId: Id })),
  /** Once a cap and period: the last of it is spent, or it has cut something short. It moves no credits. */
  CapReached: event(Type.Object({ ...cap, spent: StoredCredits, resetsAt: Timestamp })),
  /**
   * What the workspace is told of its balance: when it comes down to these credits, and when it is foreseen to end within
   * so many days. From the first of these entries on the end of the balance is told too. Replaces the ones before.
   */
  ThresholdsSet: event(
    Type.Object({
      credits: Type.Array(StoredCredits, { maxItems: MOST_THRESHOLDS }),
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 90 }), { maxItems: MOST_THRESHOLDS }),
    }),
  ),
  /**
   * Once an arming: the balance came down to `credits`, in the append that brought it there; or it is foreseen to end
   * on `endsOn`, within `days`. It moves no credits.
   */
  CreditsLow: event(
    Type.Object({
      credits: Type.Optional(StoredCredits),
      days: Type.Optional(Type.Integer({ minimum: 1 })),
      endsOn: Type.Optional(Day),
      balance: StoredCredits,
    }),
  ),
  /** Once an arming, in the append that brought the balance below one credit. It moves no credits. */
  CreditsRunOut: event(Type.Object({ balance: StoredCredits })),
  /** After credits were added, the balance is foreseen to last longer than `days` again. */
  ThresholdArmed: event(Type.Object({ days: Type.Integer({ minimum: 1 }) })),
  /** Once a lot (`movementId` granted it): what was free of it some days before it ends. It moves no credits. */
  CreditsExpiring: event(Type.Object({ movementId: Id, credits: StoredCredits, expiresAt: Timestamp })),
  /** What a launch may spend at most, with its first hold. A program that does not know budgets stops here. */
  BudgetOpened: event(
    Type.Object({
      launchId: Id,
      credits: StoredCredits,
      /** The nonce of the quote that the launch was approved by. */
      quote: Type.Optional(Type.String({ minLength: 1 })),
    }),
  ),
  /** The launch has ended: nothing is held for it any more. */
  BudgetClosed: event(Type.Object({ launchId: Id })),
};

export type CreditPayloads = PayloadsOf<typeof creditEvents>;
/** A decided credit event. */
export type CreditEvent = EventOf<CreditPayloads>;
export type CreditEventType = keyof CreditPayloads;
/** A recorded credit event of one type, or of any. */
export type LedgerEntry<Type extends CreditEventType = CreditEventType> = {
  [T in Type]: Recorded<CreditPayloads[T]> & { readonly type: T };
}[Type];
