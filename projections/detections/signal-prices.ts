import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import {
  creditMovementKey,
  creditMovements,
  type CreditMovementDocument,
} from '#projections/credit-movements/credit-movements.projection.js';
import type { DetectionDocument } from './detections.projection.js';

/** What a signal cost, as every answer that shows one says it. */
export const SignalPrice = {
  /** The price of its movement; signals of one movement were paid once. 0: it was free. */
  credits: Type.Number({ minimum: 0 }),
  movement_id: Nullable(Id),
};
type Price = { readonly credits: number; readonly movement_id: number | null };

/** Nobody paid for it. */
export const FREE: Price = { credits: 0, movement_id: null };

/** The price of each of these detections, in their order. Rejects with `StoreUnavailable` while one is not told yet. */
export async function pricesOfSignals(
  readModels: ReadModels,
  found: readonly Pick<DetectionDocument, 'movementId'>[],
): Promise<readonly Price[]> {
  const ids = new Set(found.map(({ movementId }) => movementId).filter((id) => id !== null));
  const movements = await readModels.getMany<CreditMovementDocument>(
    creditMovements,
    [...ids].map(creditMovementKey),
  );
  return found.map(({ movementId }) => {
    if (movementId === null) return FREE;
    const movement = movements.get(creditMovementKey(movementId));
    // It was held before the signal was recorded: the two read models are at different places.
    if (movement === undefined) throw new StoreUnavailable('the charges are behind the signals');
    return { credits: toJsonNumber(fromStored(movement.credits)), movement_id: movementId };
  });
}
