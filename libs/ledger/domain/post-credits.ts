import { postingRepeated, sameWithinADay } from './recent-postings.js';
import { correctionOver, exceeded } from './corrections.js';
import {
  askAdjustment,
  askCorrections,
  askEnded,
  askGrant,
  askMovement,
  requireRemembered,
} from './ledger-memory.js';
import { MAX_CREDITS, toStored, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { available, granted, type Billing } from './books.js';
import {
  billingOf,
  creditLimitExceeded,
  insufficient,
  movementUnknown,
  type CreditDecision,
} from './credit-account.js';
import type { CreditAccount, Posting } from './account-state.js';
import type { StoredShare } from './credits.events.js';
import { isPlain, lotSpender, MOST_OPEN_LOTS, PLAIN_TERMS, shareOf, withShares } from './lots.js';
import type { LotTerms } from './lot-facts.js';

/** A grant or withdrawal; `credits` is positive. The same `key` is the same posting. */
export type Grant = {
  readonly movementId: number;
  readonly key?: string;
  readonly credits: Credits;
  readonly reason: string;
  /** Refuses an equal amount and reason without a key within a day before this time. */
  readonly notAgainAt?: string;
};

/** Credits to take back, from the named lot (LOT-06), or in the order of spending. */
export type Withdrawal = Grant & { readonly lot?: number };

/**
 * A correction; `credits` is signed. `corrects` names the movement that was wrong; `beyond` is the reason to correct
 * more than that movement.
 */
export type Adjustment = Withdrawal & { readonly corrects?: number; readonly beyond?: string };

export const postingKeyTaken = refusal({
  code: 'posting-key-taken',
  kind: 'conflicting',
  detail: 'This key was used for something else before.',
});

export const expiryPassed = refusal({
  code: 'expiry-passed',
  kind: 'unprocessable',
  detail: 'The credits would have expired already.',
});

export const tooManyLots = refusal({
  code: 'too-many-lots',
  kind: 'conflicting',
  detail: `A workspace has ${MOST_OPEN_LOTS} open lots at most.`,
});

export const lotOfGain = refusal({
  code: 'lot-of-gain',
  kind: 'unprocessable',
  detail: 'Credits are taken out of a lot, and never added to one.',
});

/** Sets who pays from now on. Existing movements keep their payer. */
export const setBillingMode =
  (billing: Billing): CreditDecision =>
  ({ books }) => {
    const partnerId = billing.mode === 'partner' ? billing.partnerId : undefined;
    const current = books.billing?.mode === 'partner' ? books.billing.partnerId : undefined;
    if (books.billing?.mode === billing.mode && current === partnerId) return [];
    return [{ type: 'BillingModeSet', data: { billing: billing.mode, partnerId } }];
  };

/** Like `setBillingMode`, for a provisioned workspace: only provisioning opens a ledger. */
export const changeBillingMode =
  (billing: Billing): CreditDecision =>
  (account, at) => {
    billingOf(account);
    return setBillingMode(billing)(account, at);
  };

/** Grants credits. A grant with its own terms is a lot; default terms count as no terms. */
export const grant =
  (wanted: Grant, given: LotTerms = PLAIN_TERMS): CreditDecision =>
  (account, at) => {
    const terms = isPlain(given) ? null : given;
    billingOf(account);
    requirePositive(wanted.credits);
    if (isRepeated(account, 'grant', wanted, terms)) return [];
    refuseAgain(account, 'grant', wanted);
    refuseOverLimit(account, wanted.credits);
    const { movementId, key, reason } = wanted;
    const data = { movementId, key, credits: toStored(wanted.credits), reason };
    if (terms === null) return [{ type: 'CreditsGranted', data }];
    return [{ type: 'LotGranted', data: { ...data, ...termsOfLot(account, terms, at) } }];
  };

/** The terms of one more lot as its entry carries them. Refused if it has expired by `at`, or if there are too many. */
function termsOfLot({ books }: CreditAccount, { expiresAt, priority, promotional }: LotTerms, at: string) {
  if (expiresAt !== null && expiresAt <= at)
    throw expiryPassed({ errors: fieldError('expires_at', 'must lie in the future') });
  if (books.lots.size >= MOST_OPEN_LOTS) throw tooManyLots();
  return { ...(expiresAt === null ? {} : { expiresAt }), priority, promotional };
}

/** Takes back free credits; held or spent credits cannot be taken back. */
export const withdraw =
  (wanted: Withdrawal): CreditDecision =>
  (account) => {
    billingOf(account);
    requirePositive(wanted.credits);
    if (isRepeated(account, 'withdrawal', wanted)) return [];
    refuseAgain(account, 'withdrawal', wanted);
    const { movementId, key, reason, credits } = wanted;
    const taken = takenFrom(account, credits, wanted.lot);
    return [
      { type: 'CreditsWithdrawn', data: { movementId, key, credits: toStored(credits), reason, ...taken } },
    ];
  };

/**
 * Entries are never edited: a correction is a separate entry. It cannot make the balance negative, and the
 * corrections of a movement never exceed the movement unless a reason is given (LED-10). Credits that are added with
 * their own terms are a lot; default terms count as no terms.
 */
export const adjust =
  (wanted: Adjustment, given: LotTerms = PLAIN_TERMS): CreditDecision =>
  (account, at) => {
    const terms = isPlain(given) ? null : given;
    billingOf(account);
    if (wanted.credits === 0n) throw new Error('an adjustment changes something');
    if (terms !== null && wanted.credits < 0n) throw new Error('credits that are taken back have no terms');
    if (isRepeated(account, 'adjustment', wanted, terms)) return [];
    const { movementId, key, reason, corrects } = wanted;
    const { charges, postings } = account;
    if (corrects !== undefined)
      requireRemembered(account, [askMovement(corrects), askCorrections(corrects), askEnded(corrects)]);
    if (corrects !== undefined && !charges.byMovement.has(corrects) && !postings.byMovement.has(corrects)) {
      throw movementUnknown({ errors: fieldError('corrects', 'is not a movement of this workspace') });
    }
    if (wanted.lot !== undefined && wanted.credits > 0n)
      throw lotOfGain({ errors: fieldError('lot', 'cannot be named with more credits') });
    const taken = wanted.credits < 0n ? takenFrom(account, -wanted.credits, wanted.lot) : {};
    refuseOverLimit(account, wanted.credits);
    const over = corrects === undefined ? null : correctionOver(account, corrects, wanted.credits);
    if (over !== null && wanted.beyond === undefined) throw exceeded(over);
    const beyond = over === null ? undefined : wanted.beyond;
    const data = { movementId, key, credits: toStored(wanted.credits), reason, corrects, beyond };
    if (terms === null) return [{ type: 'CreditsAdjusted', data: { ...data, ...taken } }];
    return [{ type: 'LotAdjusted', data: { ...data, ...termsOfLot(account, terms, at) } }];
  };

/** The lots that the credits are taken from. Refused if they, or the named lot, have fewer free credits. */
function takenFrom(
  account: CreditAccount,
  credits: Credits,
  named: number | undefined,
): { readonly lots?: readonly StoredShare[]; readonly lot?: number } {
  const { books } = account;
  if (named !== undefined) {
    const lot = books.lots.get(named);
    if (lot === undefined) requireLot(account, named);
    if (lot === undefined || lot.free < credits) throw insufficient(account, credits, lot?.free ?? 0n);
    return { lots: [shareOf(lot, credits)], lot: named };
  }
  const free = available(books);
  if (credits > free) throw insufficient(account, credits);
  return withShares(lotSpender(books.lots, free)(credits));
}

/** Throws `movementUnknown` unless the movement granted a lot, which may have ended. */
function requireLot(account: CreditAccount, movementId: number): void {
  requireRemembered(account, [askMovement(movementId)]);
  const terms = account.postings.byMovement.get(movementId)?.terms ?? null;
  if (terms === null) {
    throw movementUnknown({ errors: fieldError('lot', 'is not a grant with terms of this workspace') });
  }
}

function isRepeated(
  account: CreditAccount,
  kind: Posting['kind'],
  wanted: Adjustment,
  terms: LotTerms | null = null,
): boolean {
  if (wanted.key === undefined) return false;
  requireRemembered(account, [(kind === 'adjustment' ? askAdjustment : askGrant)(wanted.key)]);
  const { byGrantKey, byAdjustKey } = account.postings;
  const earlier = (kind === 'adjustment' ? byAdjustKey : byGrantKey).get(wanted.key);
  if (earlier === undefined) return false;
  if (earlier.kind !== kind) {
    throw postingKeyTaken({ errors: fieldError('grant_key', `was used for a ${earlier.kind}`) });
  }
  if (earlier.credits !== wanted.credits) {
    throw postingKeyTaken({ errors: fieldError('credits', 'is not the amount this key was used for') });
  }
  if (earlier.corrects !== (wanted.corrects ?? null)) {
    throw postingKeyTaken({ errors: fieldError('corrects', 'is not the movement this key was used for') });
  }
  if (earlier.lot !== (wanted.lot ?? null)) {
    throw postingKeyTaken({ errors: fieldError('lot', 'is not the lot this key was used for') });
  }
  const other = termThatDiffers(earlier.terms ?? PLAIN_TERMS, terms ?? PLAIN_TERMS);
  if (other !== null)
    throw postingKeyTaken({ errors: fieldError(other, 'is not what this key was used with') });
  return true;
}

function termThatDiffers(earlier: LotTerms, wanted: LotTerms): string | null {
  if (earlier.expiresAt !== wanted.expiresAt) return 'expires_at';
  if (earlier.priority !== wanted.priority) return 'priority';
  return earlier.promotional === wanted.promotional ? null : 'promotional';
}

function refuseAgain(account: CreditAccount, kind: 'grant' | 'withdrawal', wanted: Grant): void {
  if (wanted.notAgainAt === undefined) return;
  const same = sameWithinADay(account, { ...wanted, kind }, wanted.notAgainAt);
  if (same === null) return;
  throw postingRepeated({
    errors: fieldError('again', `the same ${kind} is movement ${same.movementId} of ${same.recordedAt}`),
    members: { movement_id: same.movementId },
  });
}

function refuseOverLimit(account: CreditAccount, credits: Credits): void {
  if (granted(account.books) + credits > MAX_CREDITS) {
    throw creditLimitExceeded({ errors: fieldError('credits', 'takes the total over 1000000000') });
  }
}

function requirePositive(credits: Credits): void {
  if (credits <= 0n) throw new Error('a grant or withdrawal is of a positive amount');
}
