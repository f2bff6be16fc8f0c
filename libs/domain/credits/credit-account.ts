import { fromStored, toJsonNumber, type Credits } from '#kernel/credits.js';
import { decider, type Decision } from '#kernel/decider.js';
import { refusal, type Refusal } from '#kernel/refusal.js';
import { JournaledMap } from '#kernel/journaled-map.js';
import { accountFromJson, accountToJson } from './account-snapshot.js';
import { available, emptyBooks, markBooks, ownAccount, post, type Billing, type Books } from './books.js';
import { closeCharge, emptyCharges, rememberCharge, type Charges } from './charges.js';
import type { Recorded } from '#kernel/event.js';
import { creditEvents, type CreditEventType, type CreditPayloads } from './credits.events.js';
import { forgetOld, recallFacts, type LedgerMemory } from './ledger-memory.js';
import { sealEntry } from './seal.js';

/** A grant, withdrawal or adjustment that was made: what a repetition of it is compared with. */
export type Posting = {
  readonly kind: 'grant' | 'withdrawal' | 'adjustment';
  readonly movementId: number;
  readonly credits: Credits;
  readonly corrects: number | null;
  /** Revision of its entry; null for one that was looked up. */
  readonly postedAt: bigint | null;
};

/**
 * All that decides about a workspace's money: sums, open holds, sealed months, and the keys that were used.
 * Keys older than `memory` tells are looked up when a decision asks for them.
 */
export type CreditAccount = {
  readonly books: Books;
  readonly charges: Charges;
  readonly postings: Postings;
  readonly sealedMonths: JournaledMap<string, PeriodSeal>;
  readonly memory: LedgerMemory;
};

/** What was sealed of a month: the payload of its PeriodSealed. */
export type PeriodSeal = CreditPayloads['PeriodSealed'];

type Postings = {
  /** Every posting by its movement id, so that an adjustment can name it. */
  readonly byMovement: JournaledMap<number, Posting>;
  /** Grants and withdrawals share one set of keys, adjustments have their own. */
  readonly byGrantKey: JournaledMap<string, Posting>;
  readonly byAdjustKey: JournaledMap<string, Posting>;
};

export type CreditDecision = Decision<CreditAccount, typeof creditEvents>;

/** Entries between two snapshots of a ledger. */
const SNAPSHOT_EVERY = 1_000;

/** A ledger without entries. */
export function emptyAccount(): CreditAccount {
  return {
    books: emptyBooks(),
    charges: emptyCharges(),
    postings: {
      byMovement: new JournaledMap(),
      byGrantKey: new JournaledMap(),
      byAdjustKey: new JournaledMap(),
    },
    sealedMonths: new JournaledMap(),
    memory: { revision: -1n, forgotten: null, absent: new Set() },
  };
}

/** The credit stream of a workspace is named after its id. */
export const creditAccount = decider<CreditAccount>()({
  category: 'credits',
  vocabulary: creditEvents,
  strict: true,
  seal: sealEntry,
  initial: emptyAccount,
  snapshot: {
    every: SNAPSHOT_EVERY,
    stateVersion: 1,
    toJson: accountToJson,
    fromJson: accountFromJson,
    forget: forgetOld,
  },
  recall: recallFacts,
  rewind: markAccount,
  on: {
    BillingModeSet: (account, event) => posted(account, 'BillingModeSet', event),
    CreditsGranted: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'grant', event);
      return posted(account, 'CreditsGranted', event);
    },
    CreditsWithdrawn: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'withdrawal', event);
      return posted(account, 'CreditsWithdrawn', event);
    },
    CreditsAdjusted: (account, event) => {
      rememberPosting(account.postings.byAdjustKey, account, 'adjustment', event);
      return posted(account, 'CreditsAdjusted', event);
    },
    CreditsHeld: (account, event) => {
      const { movementId, key, credits, product } = event.data;
      rememberCharge(account.charges, {
        movementId,
        key,
        credits: fromStored(credits),
        product,
        status: 'held',
        changedAt: event.revision,
      });
      return posted(account, 'CreditsHeld', event);
    },
    CreditsCaptured: (account, event) => {
      closeCharge(account.charges, event.data.movementId, 'captured', event.revision);
      return posted(account, 'CreditsCaptured', event);
    },
    CreditsReleased: (account, event) => {
      closeCharge(account.charges, event.data.movementId, 'released', event.revision);
      return posted(account, 'CreditsReleased', event);
    },
    PeriodSealed: (account, event) => {
      account.sealedMonths.set(event.data.month, event.data);
      return posted(account, 'PeriodSealed', event);
    },
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

/** Amounts stay below a billion credits, so that JSON numbers carry them exactly. */
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

/** The billing mode; a workspace without one was never provisioned and has no ledger. */
export function billingOf(account: CreditAccount): Billing {
  if (account.books.billing === null) throw creditAccountUnknown();
  return account.books.billing;
}

/** The refusal with its numbers (OP-67). */
export function insufficient(account: CreditAccount, required: Credits): Refusal {
  return insufficientCredits({
    members: {
      credits_required: toJsonNumber(required),
      credits_available: toJsonNumber(available(account.books)),
      credits_held: toJsonNumber(ownAccount(account.books).held),
    },
  });
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

function rememberPosting(
  byKey: Map<string, Posting>,
  account: CreditAccount,
  kind: Posting['kind'],
  { data, revision }: Recorded<CreditPayloads['CreditsAdjusted']>,
): void {
  const posting: Posting = {
    kind,
    movementId: data.movementId,
    credits: fromStored(data.credits),
    corrects: data.corrects ?? null,
    postedAt: revision,
  };
  account.postings.byMovement.set(posting.movementId, posting);
  if (data.key !== undefined) byKey.set(data.key, posting);
}

/** Marks the account; the function brings it back. What was looked up meanwhile is lost with it, and no harm. */
function markAccount({ books, charges, postings, sealedMonths, memory }: CreditAccount): () => void {
  const { revision, forgotten } = memory;
  const maps = [
    charges.byKey,
    charges.byMovement,
    postings.byMovement,
    postings.byGrantKey,
    postings.byAdjustKey,
    sealedMonths,
  ];
  for (const map of maps) map.mark();
  const rewindBooks = markBooks(books);
  return () => {
    for (const map of maps) map.rewind();
    rewindBooks();
    Object.assign(memory, { revision, forgotten });
  };
}
