import { askAdjustment, askGrant, askMovement, requireRemembered } from './ledger-memory.js';
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

/** A grant or withdrawal; `credits` is positive. The same `key` again is the same posting. */
export type Grant = {
  readonly movementId: number;
  readonly key?: string;
  readonly credits: Credits;
  readonly reason: string;
};

/** A correction; `credits` is signed. `corrects` names the movement that was wrong. */
export type Adjustment = Grant & { readonly corrects?: number };

export const postingKeyTaken = refusal({
  code: 'posting-key-taken',
  kind: 'conflicting',
  detail: 'This key was used for something else before.',
});

/** Who pays from now on. Movements already made keep their payer. */
export const setBillingMode =
  (billing: Billing): CreditDecision =>
  ({ books }) => {
    const partnerId = billing.mode === 'partner' ? billing.partnerId : undefined;
    const current = books.billing?.mode === 'partner' ? books.billing.partnerId : undefined;
    if (books.billing?.mode === billing.mode && current === partnerId) return [];
    return [{ type: 'BillingModeSet', data: { billing: billing.mode, partnerId } }];
  };

/** As `setBillingMode`, of a workspace that was provisioned: only provisioning opens a ledger. */
export const changeBillingMode =
  (billing: Billing): CreditDecision =>
  (account) => {
    billingOf(account);
    return setBillingMode(billing)(account);
  };

export const grant =
  (wanted: Grant): CreditDecision =>
  (account) => {
    billingOf(account);
    requirePositive(wanted.credits);
    if (isRepeated(account, 'grant', wanted)) return [];
    refuseOverLimit(account, wanted.credits);
    const { movementId, key, reason } = wanted;
    return [{ type: 'CreditsGranted', data: { movementId, key, credits: toStored(wanted.credits), reason } }];
  };

/** Takes back what is free; what is held or spent cannot be taken back. */
export const withdraw =
  (wanted: Grant): CreditDecision =>
  (account) => {
    billingOf(account);
    requirePositive(wanted.credits);
    if (isRepeated(account, 'withdrawal', wanted)) return [];
    if (wanted.credits > available(account.books)) throw insufficient(account, wanted.credits);
    const { movementId, key, reason } = wanted;
    return [
      { type: 'CreditsWithdrawn', data: { movementId, key, credits: toStored(wanted.credits), reason } },
    ];
  };

/** Nothing is edited: a correction is an entry of its own, and it cannot take the balance below zero. */
export const adjust =
  (wanted: Adjustment): CreditDecision =>
  (account) => {
    billingOf(account);
    if (wanted.credits === 0n) throw new Error('an adjustment changes something');
    if (isRepeated(account, 'adjustment', wanted)) return [];
    const { movementId, key, reason, corrects } = wanted;
    const { charges, postings, books } = account;
    if (corrects !== undefined) requireRemembered(account, [askMovement(corrects)]);
    if (corrects !== undefined && !charges.byMovement.has(corrects) && !postings.byMovement.has(corrects)) {
      throw movementUnknown({ errors: fieldError('corrects', 'is not a movement of this workspace') });
    }
    if (available(books) + wanted.credits < 0n) throw insufficient(account, -wanted.credits);
    refuseOverLimit(account, wanted.credits);
    const data = { movementId, key, credits: toStored(wanted.credits), reason, corrects };
    return [{ type: 'CreditsAdjusted', data }];
  };

function isRepeated(account: CreditAccount, kind: Posting['kind'], wanted: Adjustment): boolean {
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
  return true;
}

function refuseOverLimit(account: CreditAccount, credits: Credits): void {
  if (granted(account.books) + credits > MAX_CREDITS) {
    throw creditLimitExceeded({ errors: fieldError('credits', 'takes the total over 1000000000') });
  }
}

function requirePositive(credits: Credits): void {
  if (credits <= 0n) throw new Error('a grant or withdrawal is of a positive amount');
}
