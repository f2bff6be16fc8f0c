import type { StreamPlace } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { rememberCharge } from './charges.js';
import { emptyAccount, type CreditAccount, type PeriodSeal } from './account-state.js';
import { fromStoredBooks, toStoredBooks, type StoredBooks } from './stored-books.js';

/** A ledger's state in its snapshot: sums, open holds, seals. Keys of what has ended are looked up later. */
type StoredAccount = StoredBooks & { readonly sealedMonths: readonly PeriodSeal[] };

export function accountToJson({ books, sealedMonths }: CreditAccount): JsonObject {
  const stored: StoredAccount = { ...toStoredBooks(books), sealedMonths: [...sealedMonths.values()] };
  return stored;
}

/** The state after the entry at `place`, which has forgotten every key that was not open then. */
export function accountFromJson(json: JsonObject, place: StreamPlace): CreditAccount {
  // The snapshot's version and checksum were checked: it is what `accountToJson` made.
  const stored = json as unknown as StoredAccount;
  const account: CreditAccount = { ...emptyAccount(), books: fromStoredBooks(stored) };
  const { books, charges, sealedMonths, memory } = account;
  for (const { movementId, key, credits, product } of books.openHolds.values()) {
    rememberCharge(charges, { movementId, key, credits, product, status: 'held', changedAt: null });
  }
  for (const seal of stored.sealedMonths) sealedMonths.set(seal.month, seal);
  memory.revision = place.revision;
  memory.forgotten = place;
  return account;
}
