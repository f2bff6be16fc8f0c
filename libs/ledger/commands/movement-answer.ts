import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import type { MovementReference } from '#ledger/domain/charges.js';
import { BalanceAnswer } from '#ledger/answers/balance.answer.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, MovementId, WorkspaceId } from '#ops/support/inputs.js';

/** A key names one movement for ever. */
export const ChargeKey = described(
  'charge key of the movement',
  Type.String({ minLength: 1, maxLength: 255 }),
);

/** The current movement with the current balance. `replayed`: this command changed nothing. */
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

/** The movement that the input names. Throws `invalidInput` if both id and key, or neither, are given. */
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
