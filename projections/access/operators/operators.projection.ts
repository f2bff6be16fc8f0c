import type { OperatorEvents } from '#access/domain/operators/operator.events.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { projection } from '#kernel/projections/projection.js';
import type { OperatorRole } from '#kernel/values/operators.js';

/** An operator as the list shows it; authentication reads the event store, not this. */
export type OperatorDocument = {
  readonly name: string;
  readonly role: OperatorRole;
  readonly addedAt: string;
  /** The actor who added it. */
  readonly addedBy: string;
  /** null: the token is still the first. */
  readonly rotatedAt: string | null;
  readonly revokedAt: string | null;
};

export const operators = projection<OperatorDocument, OperatorEvents>()({
  name: 'operators',
  version: 1,
  indexes: { byName: ['name'] },
  key: ({ data }) => data.name,
  on: {
    OperatorAdded: (_none, event) => ({
      name: event.data.name,
      role: event.data.role,
      addedAt: recordedAtOf(event),
      addedBy: event.metadata['actorId'] ?? '',
      rotatedAt: null,
      revokedAt: null,
    }),
    OperatorTokenRotated: (known, event) => known && { ...known, rotatedAt: recordedAtOf(event) },
    OperatorRevoked: (known, event) => known && { ...known, revokedAt: recordedAtOf(event) },
  },
});
