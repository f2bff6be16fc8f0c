import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal, type Refusal } from '#kernel/values/refusal.js';
import type { JournaledMap } from '#kernel/commands/journaled-map.js';
import type { CreditAccount } from './account-state.js';
import type { Payer } from './credits.events.js';

/** A sum of amounts that entries added to one movement, as far as a ledger remembers them. */
export type RememberedSum = {
  /** The sum up to a revision that was looked up; null if it was not looked up. */
  readonly recalled: { readonly credits: Credits; readonly upTo: bigint } | null;
  /** The single amounts that are remembered, in ledger order. */
  readonly remembered: readonly { readonly credits: Credits; readonly postedAt: bigint }[];
};

/** Sums by movement. */
type Amounts = JournaledMap<number, RememberedSum>;

export const NOTHING_REMEMBERED: RememberedSum = { recalled: null, remembered: [] };

export const correctionsExceeded = refusal({
  code: 'corrections-exceeded',
  kind: 'conflicting',
  detail: 'The corrections of this movement would exceed the movement itself.',
});

/**
 * Whether this correction, together with earlier ones, exceeds the movement (LED-10): more is returned than was
 * charged or withdrawn, or more is taken back than was granted and has neither expired nor been reversed with its
 * opening. A charge that a partner paid cannot be returned to the workspace. `left` is what can still be corrected.
 */
export function correctionOver(
  account: CreditAccount,
  movementId: number,
  credits: Credits,
): { readonly left: Credits; readonly payer: Payer } | null {
  const effect = effectOf(account, movementId);
  const left = sumOf(account.postings.ended, movementId) - effect - correctionsOf(account, movementId);
  // A movement without an effect cannot be corrected upwards.
  const sign = effect <= 0n ? 1n : -1n;
  const most = sign * left > 0n ? sign * left : 0n;
  const payer = account.charges.byMovement.get(movementId)?.payer ?? 'workspace';
  return sign * credits <= most ? null : { left: most, payer };
}

export function exceeded({ left, payer }: { readonly left: Credits; readonly payer: Payer }): Refusal {
  const reason = payer === 'workspace' ? '' : `; ${payer} paid it, not the workspace`;
  return correctionsExceeded({
    errors: fieldError('credits', `is more than is left to correct: ${toJsonNumber(left)}${reason}`),
    members: { credits_left: toJsonNumber(left) },
  });
}

/**
 * The effect of a movement on the available credits. A charge has one once it is captured, unless a partner pays it.
 */
function effectOf({ charges, postings }: CreditAccount, movementId: number): Credits {
  const charge = charges.byMovement.get(movementId);
  if (charge !== undefined) {
    const isTaken = charge.status === 'captured' && charge.payer === 'workspace';
    return isTaken ? -charge.credits : 0n;
  }
  const posting = postings.byMovement.get(movementId);
  if (posting === undefined) return 0n;
  const isTaken = posting.kind === 'withdrawal' || posting.kind === 'reversal';
  return isTaken ? -posting.credits : posting.credits;
}

/** The sum of the adjustments that correct a movement, as far as the ledger remembers or has looked it up. */
export function correctionsOf({ postings }: Pick<CreditAccount, 'postings'>, movementId: number): Credits {
  return sumOf(postings.corrections, movementId);
}

function sumOf(amounts: Amounts, movementId: number): Credits {
  const { recalled, remembered } = amounts.get(movementId) ?? NOTHING_REMEMBERED;
  // The look-up may already include some or all of the remembered amounts.
  return remembered
    .filter(({ postedAt }) => recalled === null || postedAt > recalled.upTo)
    .reduce((sum, { credits }) => sum + credits, recalled?.credits ?? 0n);
}

/** Adds one correction, or one amount of a grant that ended. */
export function rememberAmount(
  amounts: Amounts,
  movementId: number,
  amount: RememberedSum['remembered'][number],
): void {
  const { recalled, remembered } = amounts.get(movementId) ?? NOTHING_REMEMBERED;
  amounts.set(movementId, { recalled, remembered: [...remembered, amount] });
}

/** Forgets amounts recorded at or before a revision. */
export function forgetAmounts(amounts: Amounts, upTo: bigint): void {
  for (const [movementId, { remembered }] of amounts) {
    const later = remembered.filter(({ postedAt }) => postedAt > upTo);
    if (later.length === 0) amounts.delete(movementId);
    else amounts.set(movementId, { recalled: null, remembered: later });
  }
}
