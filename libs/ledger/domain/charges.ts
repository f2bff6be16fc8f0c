import type { Credits } from '#kernel/values/credits.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';

export type MovementStatus = 'held' | 'captured' | 'released';

/** What a charge key was used for, and how it ended. */
export type RecordedCharge = {
  readonly movementId: number;
  readonly key: string;
  readonly credits: Credits;
  readonly product: string;
  readonly status: MovementStatus;
  /** Revision of the entry that made it what it is; null for one that was looked up. */
  readonly changedAt: bigint | null;
};

/** The charges that a ledger remembers: all that are held, and those that changed since it forgot. */
export type Charges = {
  readonly byKey: JournaledMap<string, RecordedCharge>;
  readonly byMovement: JournaledMap<number, RecordedCharge>;
};

/** Names one movement. */
export type MovementReference = { readonly movementId: number } | { readonly key: string };

export function emptyCharges(): Charges {
  return { byKey: new JournaledMap(), byMovement: new JournaledMap() };
}

export function rememberCharge(charges: Charges, charge: RecordedCharge): void {
  charges.byKey.set(charge.key, charge);
  charges.byMovement.set(charge.movementId, charge);
}

/** Ends a held movement. Throws when the history ends one twice: the ledger would be wrong from here on. */
export function closeCharge(
  charges: Charges,
  movementId: number,
  status: 'captured' | 'released',
  changedAt: bigint,
): void {
  const charge = charges.byMovement.get(movementId);
  if (charge?.status !== 'held') throw new Error(`movement ${movementId} is ${charge?.status ?? 'unknown'}`);
  rememberCharge(charges, { ...charge, status, changedAt });
}

/** The charge as it is remembered: every open one, and of those that ended the ones not yet forgotten. */
export function findCharge(charges: Charges, reference: MovementReference): RecordedCharge | null {
  const found =
    'movementId' in reference
      ? charges.byMovement.get(reference.movementId)
      : charges.byKey.get(reference.key);
  return found ?? null;
}
