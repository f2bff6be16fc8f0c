import type { ReadModels, ViewOf } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import type { MovementDetail } from './movement.answer.js';

export type MovementOrigin = MovementDetail['origin'];

/** The members of `origin` that one feature adds: the source of a charge. */
export type ChargeOrigin = (
  readModels: ReadModels,
  charge: CreditMovementDocument,
) => Promise<Partial<MovementOrigin>>;

/**
 * The document to which an id of a charge refers now. The key or the document carries the workspace, so that
 * documents of other workspaces are never shown.
 */
export async function namedByCharge<Document extends { readonly workspaceId: number }>(
  readModels: ReadModels,
  { workspaceId }: Pick<CreditMovementDocument, 'workspaceId'>,
  view: ViewOf<Document>,
  id: number | null,
  keyOf: (id: number) => string,
): Promise<Document | null> {
  return id === null ? null : ownedBy(workspaceId, await readModels.get(view, keyOf(id)));
}
