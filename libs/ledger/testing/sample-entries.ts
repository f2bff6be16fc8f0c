import { credits, toStored } from '#kernel/values/credits.js';
import type { CreditEvent, CreditEventType, Payer } from '../domain/credits.events.js';
import type { Hold } from '../domain/hold-credits.js';

/** Entries of a ledger for specs: amounts are stored amounts, and `more` are further members of the payload. */

type More<Type extends CreditEventType> = Partial<Extract<CreditEvent, { readonly type: Type }>['data']>;

/** The stored amount of whole credits. */
export const micros = (whole: number): string => toStored(credits(whole));

export const selfBilled: CreditEvent = { type: 'BillingModeSet', data: { billing: 'self' } };
export const partnerBilled: CreditEvent = {
  type: 'BillingModeSet',
  data: { billing: 'partner', partnerId: 7 },
};
export const exempt: CreditEvent = { type: 'BillingModeSet', data: { billing: 'exempt' } };

export const grantOf = (
  movementId: number,
  amount: string,
  more: More<'CreditsGranted'> = {},
): CreditEvent => ({
  type: 'CreditsGranted',
  data: { movementId, credits: amount, reason: 'contract', ...more },
});

export const withdrawalOf = (
  movementId: number,
  amount: string,
  more: More<'CreditsWithdrawn'> = {},
): CreditEvent => ({
  type: 'CreditsWithdrawn',
  data: { movementId, credits: amount, reason: 'contract', ...more },
});

export const adjustmentOf = (
  movementId: number,
  amount: string,
  more: More<'CreditsAdjusted'> = {},
): CreditEvent => ({
  type: 'CreditsAdjusted',
  data: { movementId, credits: amount, reason: 'contract', ...more },
});

/** A hold as an earlier version wrote it: the workspace pays for the work of an operator. */
export const heldEarlier = (
  movementId: number,
  amount: string,
  more: More<'CreditsHeld'> = {},
): CreditEvent => ({
  type: 'CreditsHeld',
  data: {
    movementId,
    key: `k${movementId}`,
    credits: amount,
    product: 'p',
    payer: 'workspace',
    cause: { kind: 'operator' },
    ...more,
  },
});

/** Its end, which carries no amount. */
export const endedEarlier = (
  type: 'CreditsCaptured' | 'CreditsReleased',
  movementId: number,
  more: More<'CreditsReleased'> = {},
): CreditEvent => ({ type, data: { movementId, key: `k${movementId}`, ...more } });

/** The entry of a decided hold. */
export const held = (of: Hold, payer: Payer = 'workspace'): CreditEvent =>
  heldEarlier(of.movementId, toStored(of.credits), {
    key: of.key,
    product: of.product,
    payer,
    cause: of.cause,
    endCarriesAmount: true,
  });

/** Its end. */
export const ended = (
  type: 'CreditsCaptured' | 'CreditsReleased',
  of: Hold,
  more: More<'CreditsReleased'> = {},
): CreditEvent => ({
  type,
  data: {
    movementId: of.movementId,
    key: of.key,
    credits: toStored(of.credits),
    payer: 'workspace',
    ...more,
  },
});
