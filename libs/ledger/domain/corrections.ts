import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal, type Refusal } from '#kernel/values/refusal.js';
import type { CreditAccount } from './account-state.js';

/** The sum of the adjustments that name one movement, as far as a ledger remembers them. */
export type Corrections = {
  /** The sum up to a revision that was looked up; null if it was not looked up. */
  readonly recalled: { readonly credits: Credits; readonly upTo: bigint } | null;
  /** The single adjustments that are remembered, in ledger order. */
  readonly remembered: readonly { readonly credits: Credits; readonly postedAt: bigint }[];
};

export const NO_CORRECTIONS: Corrections = { recalled: null, remembered: [] };

export const correctionsExceeded = refusal({
  code: 'corrections-exceeded',
  kind: 'conflicting',
  detail: 'The corrections of this movement would exceed the movement itself.',
});

/**
 * Whether this correction, together with earlier ones, exceeds the movement (LED-10): more is returned than was
 * charged or withdrawn, or more is taken back than was granted. `left` is what can still be corrected.
 */
export function correctionOver(
  account: CreditAccount,
  movementId: number,
  credits: Credits,
): { readonly left: Credits } | null {
  const effect = effectOf(account, movementId);
  const left = -effect - corrected(account, movementId);
  // A movement without an effect cannot be corrected upwards.
  const sign = effect <= 0n ? 1n : -1n;
  const most = sign * left > 0n ? sign * left : 0n;
  return sign * credits <= most ? null : { left: most };
}

export const exceeded = (left: Credits): Refusal =>
  correctionsExceeded({
    errors: fieldError('credits', `is more than is left to correct: ${toJsonNumber(left)}`),
    members: { credits_left: toJsonNumber(left) },
  });

/** The effect of a movement on the available credits; a charge has one only once it is captured. */
function effectOf({ charges, postings }: CreditAccount, movementId: number): Credits {
  const charge = charges.byMovement.get(movementId);
  if (charge !== undefined) return charge.status === 'captured' ? -charge.credits : 0n;
  const posting = postings.byMovement.get(movementId);
  if (posting === undefined) return 0n;
  const isTaken = posting.kind === 'withdrawal' || posting.kind === 'reversal';
  return isTaken ? -posting.credits : posting.credits;
}

function corrected({ postings }: CreditAccount, movementId: number): Credits {
  const { recalled, remembered } = postings.corrections.get(movementId) ?? NO_CORRECTIONS;
  // The look-up may already include some or all of the remembered adjustments.
  return remembered
    .filter(({ postedAt }) => recalled === null || postedAt > recalled.upTo)
    .reduce((sum, { credits }) => sum + credits, recalled?.credits ?? 0n);
}

/** Adds one correction. */
export function rememberCorrection(
  { postings }: CreditAccount,
  movementId: number,
  correction: Corrections['remembered'][number],
): void {
  const { recalled, remembered } = postings.corrections.get(movementId) ?? NO_CORRECTIONS;
  postings.corrections.set(movementId, { recalled, remembered: [...remembered, correction] });
}

/** Forgets corrections recorded at or before a revision. */
export function forgetCorrections({ postings }: CreditAccount, upTo: bigint): void {
  for (const [movementId, { remembered }] of postings.corrections) {
    const later = remembered.filter(({ postedAt }) => postedAt > upTo);
    if (later.length === 0) postings.corrections.delete(movementId);
    else postings.corrections.set(movementId, { recalled: null, remembered: later });
  }
}
