import { fromStored, toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { decider, type Due, type TimedDecision } from '#kernel/commands/decider.js';
import { refusal, type Refusal } from '#kernel/values/refusal.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { emptyAccount, type CreditAccount, type Posting } from './account-state.js';
import { available, markBooks, ownAccount, post, type Billing } from './books.js';
import { closeBudget, countForBudget, openBudget } from './budgets.js';
import { countHold, markReached, setCap, uncountHold } from './caps.js';
import { closeCharge, heldForOf, rememberCharge } from './charges.js';
import { rememberAmount } from './corrections.js';
import type { Recorded } from '#kernel/events/event.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import {
  creditEvents,
  type CreditEvent,
  type CreditEventType,
  type CreditPayloads,
} from './credits.events.js';
import { forgetOld, recallFacts } from './ledger-memory.js';
import { dueLots, expiryOf } from './lots.js';
import { termsOf, type LotTerms } from './lot-facts.js';
import { openingParts, reversedParts } from './opening-facts.js';
import { closeOpening, openingOf } from './openings.js';
import { rememberRecent } from './recent-postings.js';
import { closeRule, openRule, passRule } from './recurring-rules.js';
import { sealEntry } from './seal.js';
import { armRaised, followingLow, markArmed, markNotified, setMarks } from './thresholds.js';

export type CreditDecision = TimedDecision<CreditAccount, typeof creditEvents>;

/** Entries between two snapshots of a ledger that has fewer open holds than this. */
const SNAPSHOT_EVERY = 1_000;

/** The credit stream of a workspace; its name contains the workspace id. */
export const creditAccount = decider<CreditAccount>()({
  category: 'credits',
  scope: 'workspace',
  vocabulary: creditEvents,
  strict: true,
  seal: sealEntry,
  initial: emptyAccount,
  snapshot: {
    every: SNAPSHOT_EVERY,
    sizeOf: ({ books }) => books.openHolds.size,
    stateVersion: 1,
    toJson: accountToJson,
    fromJson: accountFromJson,
    forget: forgetOld,
  },
  recall: recallFacts,
  rewind: markAccount,
  due: dueExpiries,
  follows: followingLow,
  on: {
    BillingModeSet: (account, event) => reprepared(posted(account, 'BillingModeSet', event)),
    CreditsGranted: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'grant', event);
      rememberRecent(account, 'grant', event);
      return raised(reprepared(posted(account, 'CreditsGranted', event)));
    },
    LotGranted: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'grant', event, termsOf(event.data));
      rememberRecent(account, 'grant', event);
      if (event.data.recurring !== undefined) passRule(account, event.data.recurring.rule);
      return raised(reprepared(posted(account, 'LotGranted', event)));
    },
    OpeningImported: (account, event) => {
      for (const { movementId, credits, terms } of openingParts(event.data))
        rememberPart(account, 'import', movementId, credits, terms, event.revision);
      account.openings.current = openingOf(event);
      return raised(reprepared(posted(account, 'OpeningImported', event)));
    },
    OpeningReversed: (account, event) => {
      const { movementId, credits } = event.data;
      rememberPart(account, 'reversal', movementId, fromStored(credits), null, event.revision);
      for (const part of reversedParts(event.data))
        rememberAmount(account.postings.ended, part.movementId, {
          credits: part.credits,
          postedAt: event.revision,
        });
      closeOpening(account.openings);
      return reprepared(posted(account, 'OpeningReversed', event));
    },
    RecurringGrantAdded: withEffect('RecurringGrantAdded', (account, { data }) => openRule(account, data)),
    RecurringGrantSkipped: withEffect('RecurringGrantSkipped', (account, { data }) =>
      passRule(account, data.rule),
    ),
    RecurringGrantStopped: withEffect('RecurringGrantStopped', (account, { data }) =>
      closeRule(account, data.rule),
    ),
    LotExpired: withEffect('LotExpired', ({ postings }, { data, revision }) =>
      rememberAmount(postings.ended, data.movementId, {
        credits: fromStored(data.credits),
        postedAt: revision,
      }),
    ),
    CreditsWithdrawn: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'withdrawal', event);
      rememberRecent(account, 'withdrawal', event);
      return reprepared(posted(account, 'CreditsWithdrawn', event));
    },
    CreditsAdjusted: (account, event) => {
      rememberPosting(account.postings.byAdjustKey, account, 'adjustment', event);
      rememberCorrection(account, event);
      const adjusted = reprepared(posted(account, 'CreditsAdjusted', event));
      return fromStored(event.data.credits) > 0n ? raised(adjusted) : adjusted;
    },
    LotAdjusted: (account, event) => {
      rememberPosting(account.postings.byAdjustKey, account, 'adjustment', event, termsOf(event.data));
      rememberCorrection(account, event);
      return raised(reprepared(posted(account, 'LotAdjusted', event)));
    },
    CreditsHeld: (account, event) => {
      const { movementId, key, credits, product, payer, cause } = event.data;
      rememberCharge(account.charges, {
        movementId,
        key,
        credits: fromStored(credits),
        product,
        payer,
        kind: cause.kind,
        heldFor: heldForOf(cause, recordedAtOf(event)),
        status: 'held',
        changedAt: event.revision,
      });
      const { caps, budgets } = account.limits;
      countHold(caps, event.data.cause, fromStored(credits), recordedAtOf(event));
      countForBudget(budgets, event.data.cause, fromStored(credits));
      return posted(account, 'CreditsHeld', event);
    },
    CreditsCaptured: (account, event) => {
      closeCharge(account.charges, event.data.movementId, 'captured', event.revision);
      return posted(account, 'CreditsCaptured', event);
    },
    CreditsReleased: (account, event) => {
      closeCharge(account.charges, event.data.movementId, 'released', event.revision);
      const hold = account.books.openHolds.get(event.data.movementId);
      if (hold !== undefined) {
        uncountHold(account.limits.caps, hold, recordedAtOf(event));
        countForBudget(account.limits.budgets, hold.cause, -hold.credits);
      }
      return posted(account, 'CreditsReleased', event);
    },
    PeriodSealed: withEffect('PeriodSealed', ({ sealedMonths }, { data }) =>
      sealedMonths.set(data.month, data),
    ),
    ChargesStopped: (account, event) => reprepared(posted(account, 'ChargesStopped', event)),
    CapSet: withEffect('CapSet', ({ limits, books }, event) =>
      setCap(limits.caps, event, books.openHolds.values()),
    ),
    CapRemoved: withEffect('CapRemoved', ({ limits }, { data }) => limits.caps.delete(data.capId)),
    CapReached: withEffect('CapReached', ({ limits }, event) => markReached(limits.caps, event)),
    ThresholdsSet: withEffect('ThresholdsSet', (account, { data }) => setMarks(account, data)),
    CreditsLow: withEffect('CreditsLow', ({ watch }, { data }) => markNotified(watch, data)),
    CreditsRunOut: withEffect('CreditsRunOut', ({ watch }) => markNotified(watch, {})),
    ThresholdArmed: withEffect('ThresholdArmed', ({ watch }, { data }) => markArmed(watch, data.days)),
    CreditsExpiring: withEffect('CreditsExpiring', ({ watch }, { data }) =>
      watch.expiring.set(data.movementId, true),
    ),
    BudgetOpened: withEffect('BudgetOpened', ({ limits }, event) => openBudget(limits.budgets, event)),
    BudgetClosed: withEffect('BudgetClosed', ({ limits }, event) => closeBudget(limits.budgets, event)),
  },
});

export const creditAccountUnknown = refusal({
  code: 'credit-account-not-found',
  kind: 'missing',
  detail: 'There is no such workspace.',
});

export const insufficientCredits = refusal({
  code: 'insufficient-credits',
  kind: 'unpayable',
  title: 'Insufficient credits',
  detail: 'The credit balance does not cover this.',
});

/** Amounts stay below a billion credits, so that JSON numbers are exact. */
export const creditLimitExceeded = refusal({
  code: 'credit-limit-exceeded',
  kind: 'unprocessable',
  detail: 'The total would be over 1000000000 credits.',
});

export const movementUnknown = refusal({
  code: 'movement-not-found',
  kind: 'missing',
  detail: 'There is no such credit movement.',
});

/** The revision of the entry after which charges have to be prepared; -1 without one. */
export const chargesMark = ({ memory }: Pick<CreditAccount, 'memory'>): bigint => memory.preparedAfter;

/** The billing mode; a workspace without one was never provisioned and has no ledger. */
export function billingOf(account: CreditAccount): Billing {
  if (account.books.billing === null) throw creditAccountUnknown();
  return account.books.billing;
}

/** The refusal with its amounts (OP-67). */
export function insufficient(
  account: CreditAccount,
  required: Credits,
  free: Credits = available(account.books),
): Refusal {
  return insufficientCredits({
    members: {
      credits_required: toJsonNumber(required),
      credits_available: toJsonNumber(free),
      credits_held: toJsonNumber(ownAccount(account.books).held),
    },
  });
}

/** Free credits of lots that have expired by `at`, each expiring at its own time (LOT-01). */
function dueExpiries({ books: { lots } }: CreditAccount, at: string): readonly Due<CreditEvent>[] {
  if (lots.size === 0) return NOTHING_DUE;
  return dueLots(lots, at).map(({ id, free, expiresAt }) => ({
    event: expiryOf(id, free, expiresAt),
    at: expiresAt,
  }));
}

const NOTHING_DUE: readonly Due<CreditEvent>[] = [];

/** The fold of an entry that changes one other part of the state before it is posted to the books. */
function withEffect<Type extends CreditEventType>(
  type: Type,
  effect: (account: CreditAccount, event: Recorded<CreditPayloads[Type]>) => unknown,
) {
  return (account: CreditAccount, event: Recorded<CreditPayloads[Type]>): CreditAccount => {
    effect(account, event);
    return posted(account, type, event);
  };
}

function posted<Type extends CreditEventType>(
  account: CreditAccount,
  type: Type,
  event: Recorded<CreditPayloads[Type]>,
): CreditAccount {
  post(account.books, type, event);
  account.memory.revision = event.revision;
  return account;
}

/** Charges that were prepared before the newest entry have to be prepared again. */
function reprepared(account: CreditAccount): CreditAccount {
  account.memory.preparedAfter = account.memory.revision;
  return account;
}

/** After credits were added, thresholds are armed again. */
function raised(account: CreditAccount): CreditAccount {
  armRaised(account);
  return account;
}

function rememberPosting(
  byKey: Map<string, Posting>,
  account: CreditAccount,
  kind: Posting['kind'],
  { data, revision }: Recorded<CreditPayloads['CreditsAdjusted']>,
  terms: LotTerms | null = null,
): void {
  const posting: Posting = {
    kind,
    movementId: data.movementId,
    credits: fromStored(data.credits),
    corrects: data.corrects ?? null,
    terms,
    lot: data.lot ?? null,
    postedAt: revision,
  };
  account.postings.byMovement.set(posting.movementId, posting);
  if (data.key !== undefined) byKey.set(data.key, posting);
}

/** Adds an adjustment to the corrections of the movement that it names. */
function rememberCorrection(
  { postings }: CreditAccount,
  { data: { corrects, credits }, revision }: Recorded<CreditPayloads['CreditsAdjusted' | 'LotAdjusted']>,
): void {
  if (corrects === undefined) return;
  rememberAmount(postings.corrections, corrects, { credits: fromStored(credits), postedAt: revision });
}

/** Remembers a movement of an opening, so that an adjustment can name it. */
function rememberPart(
  { postings }: CreditAccount,
  kind: 'import' | 'reversal',
  movementId: number,
  credits: Credits,
  terms: LotTerms | null,
  postedAt: bigint,
): void {
  const posting = { kind, movementId, credits, corrects: null, terms, lot: null, postedAt };
  postings.byMovement.set(movementId, posting);
}

/**
 * Marks the account; the returned function restores the mark. Facts looked up since the mark are lost, and are looked
 * up again when needed.
 */
function markAccount({
  books,
  charges,
  postings,
  sealedMonths,
  limits,
  recurring,
  openings,
  watch,
  memory,
}: CreditAccount): () => void {
  const { revision, preparedAfter, forgotten } = memory;
  const { last } = recurring;
  const { current, reversed } = openings;
  const maps = [
    charges.byKey,
    charges.byMovement,
    postings.byMovement,
    postings.byGrantKey,
    postings.byAdjustKey,
    postings.corrections,
    postings.ended,
    postings.recent,
    sealedMonths,
    limits.caps,
    limits.budgets,
    recurring.open,
    recurring.over,
    watch.marks,
    watch.expiring,
  ];
  for (const map of maps) map.mark();
  const rewindBooks = markBooks(books);
  return () => {
    for (const map of maps) map.rewind();
    rewindBooks();
    recurring.last = last;
    Object.assign(openings, { current, reversed });
    Object.assign(memory, { revision, preparedAfter, forgotten });
  };
}
