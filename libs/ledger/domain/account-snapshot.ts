import type { StreamPlace } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { rememberCharge } from './charges.js';
import { emptyAccount, type CreditAccount, type PeriodSeal } from './account-state.js';
import type { RecentPosting } from './recent-postings.js';
import { restoreLimits, toStoredLimits, type StoredLimits } from './limits.js';
import { fromStoredBooks, toStoredBooks, type StoredBooks } from './stored-books.js';

/** A ledger's state in its snapshot: sums, open holds, seals. Keys of what has ended are looked up later. */
type StoredAccount = StoredBooks & {
  readonly sealedMonths: readonly PeriodSeal[];
  /** Absent where there are none. */
  readonly recentPostings?: readonly RecentPosting[];
  /**
   * Where there are caps or budgets: these, with what was granted. A program that does not know them cannot read that and
   * goes through the entries, where it stops.
   */
  readonly withLimits?: StoredLimits & Granted;
};
type Granted = Pick<StoredBooks, 'grants' | 'withLots'>;

export function accountToJson({ books, sealedMonths, postings, limits }: CreditAccount): JsonObject {
  const stored: StoredAccount = {
    ...storedSums(toStoredBooks(books), toStoredLimits(limits)),
    sealedMonths: [...sealedMonths.values()],
    ...(postings.recent.size === 0 ? {} : { recentPostings: [...postings.recent.values()] }),
  };
  return stored;
}

/** The state after the entry at `place`, which has forgotten every key that was not open then. */
export function accountFromJson(json: JsonObject, place: StreamPlace): CreditAccount {
  // The snapshot's version and checksum were checked: it is what `accountToJson` made.
  const stored = json as unknown as StoredAccount;
  const { withLimits, ...plain } = stored;
  const books = fromStoredBooks({ ...plain, ...grantedOf(withLimits ?? stored) });
  const account: CreditAccount = { ...emptyAccount(), books };
  const { charges, sealedMonths, memory, postings, limits } = account;
  if (withLimits !== undefined) restoreLimits(limits, withLimits);
  for (const { movementId, key, credits, product } of books.openHolds.values()) {
    rememberCharge(charges, { movementId, key, credits, product, status: 'held', changedAt: null });
  }
  for (const recent of stored.recentPostings ?? []) postings.recent.set(recent.movementId, recent);
  for (const seal of stored.sealedMonths) sealedMonths.set(seal.month, seal);
  memory.revision = place.revision;
  memory.preparedAfter = place.revision;
  memory.forgotten = place;
  return account;
}

function storedSums(books: StoredBooks, limits: StoredLimits | null) {
  if (limits === null) return books;
  const { grants, withLots, ...sums } = books;
  return { ...sums, withLimits: { ...limits, ...grantedOf({ grants, withLots }) } };
}

const grantedOf = ({ grants, withLots }: Granted): Granted => ({
  ...(grants === undefined ? {} : { grants }),
  ...(withLots === undefined ? {} : { withLots }),
});
