import type { Credits } from '#kernel/credits.js';

export type MovementStatus = 'held' | 'captured' | 'released';

/** What a charge key was used for, and how it ended. */
export type Charge = {
  readonly movementId: number;
  readonly key: string;
  readonly credits: Credits;
  readonly product: string;
  status: MovementStatus;
};

/**
 * The charge keys of a ledger. Decisions come here with the keys and movement ids of their command and never
 * walk it, so keys older than a snapshot can live outside and be remembered before a decision is made.
 */
export type Charges = {
  readonly byKey: Map<string, Charge>;
  readonly byMovement: Map<number, Charge>;
};

/** Names one movement. */
export type MovementReference = { readonly movementId: number } | { readonly key: string };

export function emptyCharges(): Charges {
  return { byKey: new Map(), byMovement: new Map() };
}

export function rememberCharge(charges: Charges, charge: Charge): void {
  charges.byKey.set(charge.key, charge);
  charges.byMovement.set(charge.movementId, charge);
}

/** Ends a held movement. Throws when the history ends one twice: the ledger would be wrong from here on. */
export function closeCharge(charges: Charges, movementId: number, status: 'captured' | 'released'): void {
  const charge = charges.byMovement.get(movementId);
  if (charge?.status !== 'held') throw new Error(`movement ${movementId} is ${charge?.status ?? 'unknown'}`);
  charge.status = status;
}

export function findCharge(charges: Charges, reference: MovementReference): Charge | null {
  const found =
    'movementId' in reference
      ? charges.byMovement.get(reference.movementId)
      : charges.byKey.get(reference.key);
  return found ?? null;
}
