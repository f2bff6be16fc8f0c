import type { Immutable } from '#kernel/events/event.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';
import { Hash, Revision } from './answer-fields.js';

/** The result of a verification. Differences are in ledger order; differences of sums and counts come last. */
export const VerificationAnswer = Type.Object({
  ok: Type.Boolean(),
  revision: Revision,
  /** The number of movements ever held, with any outcome. */
  movements: Type.Integer({ minimum: 0 }),
  /** The head of the hash chain. */
  hash: Hash,
  differences: Type.Array(
    Type.Object({
      revision: Revision,
      what: Type.String(),
      expected: Nullable(Type.String()),
      found: Nullable(Type.String()),
    }),
  ),
});
export type LedgerVerification = Immutable<Static<typeof VerificationAnswer>>;
