import type { StreamPlace } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { rememberCharge } from './charges.js';
import { emptyAccount, type CreditAccount, type PeriodSeal, type RecurringRule } from './account-state.js';
import { restoreOpenings, toStoredOpenings, type StoredOpenings } from './openings.js';
import type { RecentPosting } from './recent-postings.js';
import { restoreWatch, toStoredWatch, type StoredWatch } from './thresholds.js';
import { restoreLimits, toStoredLimits, type StoredLimits } from './limits.js';
import { fromStoredBooks, toStoredBooks, type StoredBooks } from './stored-books.js';

/** A ledger's state in its snapshot: sums, open holds, seals. Keys of what has ended are looked up later. */
type StoredAccount = StoredBooks & {
  /** Absent where `later` is there. */
  readonly sealedMonths?: readonly PeriodSeal[];
  /**
   * What a ledger has got beside money and holds, with the seals: a program that knows none of it cannot read the seals
   * then, and goes through the entries, where it stops at the first that it does not know.
   */
  readonly later?: LaterParts & { readonly sealedMonths: readonly PeriodSeal[] };
  /** Absent where there are none. */
  readonly recentPostings?: readonly RecentPosting[];
  /**
   * Where there are caps or budgets: these, with what was granted. A program that does not know them cannot read that and
   * goes through the entries, where it stops.
   */
  readonly withLimits?: StoredLimits & Granted;
};
type Granted = Pick<StoredBooks, 'grants' | 'withLots'>;

/** Each is absent where there is nothing of it. */
type LaterParts = {
  readonly recurring?: {
    readonly last: number;
    readonly open: readonly RecurringRule[];
    /** Absent where there are none. */
    readonly over?: readonly (readonly [string, RecurringRule])[];
  };
  readonly openings?: StoredOpenings;
  readonly watch?: StoredWatch;
};

export function accountToJson(account: CreditAccount): JsonObject {
  const { books, postings, limits } = account;
  const sealedMonths = [...account.sealedMonths.values()];
  const parts = laterParts(account);
  const stored: StoredAccount = {
    ...storedSums(toStoredBooks(books), toStoredLimits(limits)),
    ...(Object.keys(parts).length === 0 ? { sealedMonths } : { later: { ...parts, sealedMonths } }),
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
  const { charges, sealedMonths, recurring, memory, postings, limits } = account;
  if (withLimits !== undefined) restoreLimits(limits, withLimits);
  for (const { movementId, key, credits, product } of books.openHolds.values()) {
    rememberCharge(charges, { movementId, key, credits, product, status: 'held', changedAt: null });
  }
  for (const recent of stored.recentPostings ?? []) postings.recent.set(recent.movementId, recent);
  const seals = stored.later?.sealedMonths ?? stored.sealedMonths;
  if (seals === undefined) throw new Error('a snapshot says which months are sealed');
  for (const seal of seals) sealedMonths.set(seal.month, seal);
  recurring.last = stored.later?.recurring?.last ?? 0;
  for (const rule of stored.later?.recurring?.open ?? []) recurring.open.set(rule.rule, rule);
  for (const [key, rule] of stored.later?.recurring?.over ?? []) recurring.over.set(key, rule);
  if (stored.later?.openings !== undefined) restoreOpenings(account.openings, stored.later.openings);
  if (stored.later?.watch !== undefined) restoreWatch(account.watch, stored.later.watch);
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

function laterParts({ recurring: { last, open, over }, openings, watch, books }: CreditAccount): LaterParts {
  const watched = toStoredWatch(watch, books.lots);
  const imported = toStoredOpenings(openings);
  return {
    ...(last === 0
      ? {}
      : { recurring: { last, open: [...open.values()], ...(over.size === 0 ? {} : { over: [...over] }) } }),
    ...(imported === null ? {} : { openings: imported }),
    ...(watched === null ? {} : { watch: watched }),
  };
}
