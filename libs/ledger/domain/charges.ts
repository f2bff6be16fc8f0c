import type { Credits } from '#kernel/values/credits.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import type { Cause, Payer } from './credits.events.js';

export type MovementStatus = 'held' | 'captured' | 'released';

/** What a cap asks of the cause of a charge. */
export type CapCause = Pick<Cause, 'setupId' | 'agentId' | 'keyId'>;

/** When a charge was held, and for what, as caps count it. */
type HeldFor = CapCause & { readonly heldAt: string };

/** A charge key, its charge, and how the charge ended. */
export type RecordedCharge = {
  readonly movementId: number;
  readonly key: string;
  readonly credits: Credits;
  readonly product: string;
  readonly payer: Payer;
  /** The kind of its cause: operators may use any key. */
  readonly kind: Cause['kind'];
  /** Null if it was looked up. */
  readonly heldFor: HeldFor | null;
  readonly status: MovementStatus;
  /** Revision of the entry that last changed it; null if it was looked up. */
  readonly changedAt: bigint | null;
};

/** The charges that a ledger remembers: all held ones, and those that ended recently enough. */
export type Charges = {
  readonly byKey: JournaledMap<string, RecordedCharge>;
  readonly byMovement: JournaledMap<number, RecordedCharge>;
};

/** A charge key, or the key that takes its place when the first ones were used for something else. */
export const numberedKey = (key: string, number: number): string => (number === 0 ? key : `${key}#${number}`);

/** Names one movement. */
export type MovementReference = { readonly movementId: number } | { readonly key: string };

export function emptyCharges(): Charges {
  return { byKey: new JournaledMap(), byMovement: new JournaledMap() };
}

/** Less than the cause, because it is kept for every remembered charge. */
export const heldForOf = (
  { setupId, agentId, keyId }: CapCause,
  heldAt: string,
): RecordedCharge['heldFor'] => ({ heldAt, setupId, agentId, keyId });

export function rememberCharge(charges: Charges, charge: RecordedCharge): void {
  charges.byKey.set(charge.key, charge);
  charges.byMovement.set(charge.movementId, charge);
}

/** Ends a held movement. Throws if the history ends a movement twice, because every later sum would be wrong. */
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

/** The charge, if it is remembered: every open one, and ended ones that are not yet forgotten. */
export function findCharge(charges: Charges, reference: MovementReference): RecordedCharge | null {
  const found =
    'movementId' in reference
      ? charges.byMovement.get(reference.movementId)
      : charges.byKey.get(reference.key);
  return found ?? null;
}
