import { event, type PayloadsOf } from '#kernel/events/event.js';
import { OPERATOR_ROLES } from '#kernel/values/operators.js';
import { OneOf, Type } from '#kernel/values/schema.js';

/** Only the SHA-256 of a token is ever stored. */
export const operatorEvents = {
  OperatorAdded: event(
    Type.Object({ name: Type.String(), role: OneOf(...OPERATOR_ROLES), tokenHash: Type.String() }),
  ),
  /** The previous token is no longer accepted. */
  OperatorTokenRotated: event(Type.Object({ name: Type.String(), tokenHash: Type.String() })),
  OperatorRevoked: event(Type.Object({ name: Type.String() })),
};
export type OperatorEvents = PayloadsOf<typeof operatorEvents>;
