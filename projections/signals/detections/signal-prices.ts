import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { ReadModelUnavailable, type ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import {
  creditMovementKey,
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import type { DetectionDocument } from './detections.projection.js';

/** The price of a signal in every answer that shows one. */
export const SignalPrice = {
  /** The price of its movement; signals of one movement were paid for once. 0: it was free. */
  credits: Type.Number({ minimum: 0 }),
  movement_id: Nullable(Id),
};
type Price = { readonly credits: number; readonly movement_id: number | null };

/** A free detection. */
export const FREE: Price = { credits: 0, movement_id: null };

type Paid = Pick<DetectionDocument, 'movementId' | 'credits'>;

/**
 * The price of each of these detections, in the same order. A detection without a price, from an earlier version, is
 * looked up in the charges. Rejects with `ReadModelUnavailable` while a charge is not projected yet.
 */
export async function pricesOfSignals(
  readModels: ReadModels,
  found: readonly Paid[],
): Promise<readonly Price[]> {
  const ids = new Set(
    found.flatMap(({ movementId, credits }) => (credits === null ? (movementId ?? []) : [])),
  );
  const movements =
    ids.size === 0
      ? new Map<string, CreditMovementDocument>()
      : await readModels.getMany(creditMovements, [...ids].map(creditMovementKey));
  return found.map(({ movementId, credits }) => {
    if (movementId === null) return FREE;
    const stored = credits ?? movements.get(creditMovementKey(movementId))?.credits;
    // The charge was held before the signal was recorded, so the read model of charges is behind that of signals.
    if (stored === undefined) throw new ReadModelUnavailable('the charges are behind the signals');
    return { credits: toJsonNumber(fromStored(stored)), movement_id: movementId };
  });
}
