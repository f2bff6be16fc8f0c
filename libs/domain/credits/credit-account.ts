import { fromStored, toJsonNumber, type Credits } from '#kernel/credits.js';
import { decider, type Decision } from '#kernel/decider.js';
import { refusal, type Refusal } from '#kernel/refusal.js';
import { available, emptyBooks, ownAccount, post, type Billing, type Books } from './books.js';
import { closeCharge, emptyCharges, rememberCharge, type Charges } from './charges.js';
import type { Recorded } from '#kernel/event.js';
import { creditEvents, type CreditEventType, type CreditPayloads } from './credits.events.js';
import { sealEntry } from './seal.js';

/** A grant, withdrawal or adjustment that was made: what a repetition of it is compared with. */
export type Posting = {
  readonly kind: 'grant' | 'withdrawal' | 'adjustment';
  readonly movementId: number;
  readonly credits: Credits;
  readonly corrects: number | null;
};

/** All that decides about a workspace's money: sums, open holds, and every key that was ever used. */
export type CreditAccount = {
  readonly books: Books;
  readonly charges: Charges;
  readonly postings: Postings;
};

type Postings = {
  /** Every posting by its movement id, so that an adjustment can name it. */
  readonly byMovement: Map<number, Posting>;
  /** Grants and withdrawals share one set of keys, adjustments have their own. */
  readonly byGrantKey: Map<string, Posting>;
  readonly byAdjustKey: Map<string, Posting>;
};

export type CreditDecision = Decision<CreditAccount, typeof creditEvents>;

/** The credit stream of a workspace is named after its id. */
export const creditAccount = decider<CreditAccount>()({
  category: 'credits',
  vocabulary: creditEvents,
  strict: true,
  seal: sealEntry,
  initial: () => ({
    books: emptyBooks(),
    charges: emptyCharges(),
    postings: { byMovement: new Map(), byGrantKey: new Map(), byAdjustKey: new Map() },
  }),
  on: {
    BillingModeSet: (account, event) => posted(account, 'BillingModeSet', event),
    CreditsGranted: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'grant', event.data);
      return posted(account, 'CreditsGranted', event);
    },
    CreditsWithdrawn: (account, event) => {
      rememberPosting(account.postings.byGrantKey, account, 'withdrawal', event.data);
      return posted(account, 'CreditsWithdrawn', event);
    },
    CreditsAdjusted: (account, event) => {
      rememberPosting(account.postings.byAdjustKey, account, 'adjustment', event.data);
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
      });
      return posted(account, 'CreditsHeld', event);
    },
    CreditsCaptured: (account, event) => {
      closeCharge(account.charges, event.data.movementId, 'captured');
      return posted(account, 'CreditsCaptured', event);
    },
    CreditsReleased: (account, event) => {
      closeCharge(account.charges, event.data.movementId, 'released');
      return posted(account, 'CreditsReleased', event);
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
  return account;
}

function rememberPosting(
  byKey: Map<string, Posting>,
  account: CreditAccount,
  kind: Posting['kind'],
  data: {
    readonly movementId: number;
    readonly key?: string;
    readonly credits: string;
    readonly corrects?: number;
  },
): void {
  const posting: Posting = {
    kind,
    movementId: data.movementId,
    credits: fromStored(data.credits),
    corrects: data.corrects ?? null,
  };
  account.postings.byMovement.set(posting.movementId, posting);
  if (data.key !== undefined) byKey.set(data.key, posting);
}
