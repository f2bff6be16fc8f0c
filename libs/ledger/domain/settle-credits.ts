import { toStored } from '#kernel/values/credits.js';
import { refusal } from '#kernel/values/refusal.js';
import type { OpenHold } from './books.js';
import { findCharge, type RecordedCharge, type MovementReference } from './charges.js';
import { billingOf, movementUnknown, type CreditDecision } from './credit-account.js';
import type { CreditAccount } from './account-state.js';
import type { CreditEvent } from './credits.events.js';
import { askReference, requireRemembered } from './ledger-memory.js';
import { expiriesOf, withShares } from './lots.js';

/** How held movements end: always whole, once. */
export type Settlement = {
  readonly capture?: readonly MovementReference[];
  readonly release?: readonly MovementReference[];
  readonly reason?: string;
};

export const movementClosed = refusal({
  code: 'movement-closed',
  kind: 'conflicting',
  detail: 'This credit movement has already ended in another way.',
});

/** Captures a hold. Idempotent. A released movement is refused. */
export const capture = (movement: MovementReference): CreditDecision => settle({ capture: [movement] });

/** Releases a hold. Idempotent. A captured movement is refused. */
export const release = (movement: MovementReference, reason?: string): CreditDecision =>
  settle({ release: [movement], reason });

/**
 * Ends several movements at once, all or none. A movement that already ended the same way is unchanged; an unknown
 * one, or one that ended the other way, refuses all. The current billing mode does not matter.
 */
export const settle =
  ({ capture: captures = [], release: releases = [], reason }: Settlement): CreditDecision =>
  (account, at) => {
    billingOf(account);
    requireRemembered(account, [...captures, ...releases].map(askReference));
    const ended = new Map<number, 'captured' | 'released'>();
    const ends: CreditEvent[] = [];
    for (const movement of captures) ends.push(...end(account, movement, 'captured', ended, reason));
    for (const movement of releases) ends.push(...end(account, movement, 'released', ended, reason));
    return withExpiries(ends, at);
  };

/**
 * Ends the named movements that are still held and were held before `heldBefore` (RFC 3339, UTC, milliseconds):
 * movements of results that their owner has `recorded` are captured, because a recorded result is never free; the
 * rest is released. Movements that have ended meanwhile are unchanged, so that only one of a sweep and a late capture
 * ends a hold.
 */
export const releaseExpired =
  ({
    movementIds,
    heldBefore,
    recorded,
  }: {
    readonly movementIds: readonly number[];
    readonly heldBefore: string;
    readonly recorded?: ReadonlySet<number>;
  }): CreditDecision =>
  (account, at) => {
    billingOf(account);
    const ends = [...new Set(movementIds)]
      .flatMap((movementId) => account.books.openHolds.get(movementId) ?? [])
      .filter(({ heldAt }) => heldAt < heldBefore)
      .map((hold) => {
        const status = recorded?.has(hold.movementId) === true ? 'captured' : 'released';
        return endOf(hold, status, 'expired');
      });
    return withExpiries(ends, at);
  };

/** Credits released to an expired lot expire in the same append. */
const withExpiries = (ends: readonly CreditEvent[], at: string): readonly CreditEvent[] => {
  const returned = ends.flatMap(({ type, data }) => (type === 'CreditsReleased' ? (data.lots ?? []) : []));
  return returned.length === 0 ? ends : [...ends, ...expiriesOf(returned, at)];
};

/** The current movement. Throws `movementUnknown`. */
export function movementOf(account: CreditAccount, movement: MovementReference): RecordedCharge {
  requireRemembered(account, [askReference(movement)]);
  const charge = findCharge(account.charges, movement);
  if (charge === null) throw movementUnknown();
  return charge;
}

function end(
  account: CreditAccount,
  movement: MovementReference,
  status: 'captured' | 'released',
  ended: Map<number, 'captured' | 'released'>,
  reason: string | undefined,
): readonly CreditEvent[] {
  const charge = movementOf(account, movement);
  const { movementId } = charge;
  const now = ended.get(movementId) ?? charge.status;
  if (now === status) return [];
  if (now !== 'held') throw movementClosed({ detail: `This credit movement is already ${now}.` });
  const hold = account.books.openHolds.get(movementId);
  if (hold === undefined) throw new Error(`movement ${movementId} is held and not open`);
  ended.set(movementId, status);
  return [endOf(hold, status, reason)];
}

/**
 * The entry that ends a hold. It carries amount and payer if the hold promised that, so that a fold need not remember
 * the hold.
 */
export function endOf(
  hold: Pick<OpenHold, 'movementId' | 'key' | 'credits' | 'payer' | 'endCarriesAmount' | 'lots'>,
  status: 'captured' | 'released',
  reason: string | undefined,
): CreditEvent {
  const { movementId, key, credits, payer, endCarriesAmount } = hold;
  const amount = endCarriesAmount === true ? { credits: toStored(credits), payer } : {};
  const data = { movementId, key, reason, ...amount };
  if (status === 'captured') return { type: 'CreditsCaptured', data };
  return { type: 'CreditsReleased', data: { ...data, ...withShares(hold.lots ?? []) } };
}
