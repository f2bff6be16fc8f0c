import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import type { MovementReference } from '#ledger/domain/charges.js';
import { BalanceAnswer } from '#ledger/answers/balance.answer.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, MovementId, WorkspaceId } from '#ops/support/inputs.js';

/** One movement for each, for ever. */
export const ChargeKey = described(
  'charge key of the movement',
  Type.String({ minLength: 1, maxLength: 255 }),
);

/** A movement as it is now, with the balance as it is now; `replayed` when this command changed nothing. */
export const MovementAnswer = Type.Object({
  movement_id: Nullable(Id),
  status: OneOf('held', 'captured', 'released', 'exempt'),
  replayed: Type.Boolean(),
  balance: BalanceAnswer,
});

/** Input of a command that ends a movement: its id or its key. */
export const MovementInput = Type.Object({
  workspace_id: WorkspaceId,
  movement_id: Type.Optional(MovementId),
  key: Type.Optional(ChargeKey),
});

/** The one movement that is meant. Throws `invalidInput` when both or none of id and key are given. */
export function readMovement({
  movement_id: movementId,
  key,
}: {
  readonly movement_id?: number;
  readonly key?: string;
}): MovementReference {
  if (movementId !== undefined && key === undefined) return { movementId };
  if (key !== undefined && movementId === undefined) return { key };
  throw invalidInput({ errors: fieldError('movement_id', 'name either movement_id or key') });
}
