import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import {
  creditMovementKey,
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
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

type Paid = Pick<DetectionDocument, 'movementId' | 'credits'>;

/**
 * The price of each of these detections, in their order. Those of before a detection carried its price are looked up
 * in the charges. Rejects with `StoreUnavailable` while one of them is not told yet.
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
    // It was held before the signal was recorded: the two read models are at different places.
    if (stored === undefined) throw new StoreUnavailable('the charges are behind the signals');
    return { credits: toJsonNumber(fromStored(stored)), movement_id: movementId };
  });
}
