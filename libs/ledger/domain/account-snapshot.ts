import type { StreamPoint } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { heldForOf, rememberCharge } from './charges.js';
import { emptyAccount, type CreditAccount, type PeriodSeal, type RecurringRule } from './account-state.js';
import { restoreOpenings, toStoredOpenings, type StoredOpenings } from './openings.js';
import type { RecentPosting } from './recent-postings.js';
import { restoreWatch, toStoredWatch, type StoredWatch } from './thresholds.js';
import { restoreLimits, toStoredLimits, type StoredLimits } from './limits.js';
import { fromStoredBooks, toStoredBooks, type StoredBooks } from './stored-books.js';

/**
 * The state of a ledger in its snapshot: sums, open holds, seals. Keys of ended movements are looked up when they are
 * needed.
 */
type StoredAccount = StoredBooks & {
  /** Absent if `later` is present. */
  readonly sealedMonths?: readonly PeriodSeal[];
  /**
   * Parts of the state besides money and holds, together with the seals. A program that does not know these parts
   * cannot read the seals then. It reads the entries instead and stops at the first unknown one.
   */
  readonly later?: LaterParts & { readonly sealedMonths: readonly PeriodSeal[] };
  /** Absent if there are none. */
  readonly recentPostings?: readonly RecentPosting[];
  /**
   * Present if there are caps or budgets: these, with the granted sum. A program that does not know them cannot read
   * the granted sum. It reads the entries instead and stops at the first unknown one.
   */
  readonly withLimits?: StoredLimits & Granted;
};
type Granted = Pick<StoredBooks, 'grants' | 'withLots'>;

/** Each part is absent if it is empty. */
type LaterParts = {
  readonly recurring?: {
    readonly last: number;
    readonly open: readonly RecurringRule[];
    /** Absent if there are none. */
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

/** The state after the entry at `point`. It has forgotten every key that was not open then. */
export function accountFromJson(json: JsonObject, point: StreamPoint): CreditAccount {
  // The version and checksum of the snapshot were checked, so `accountToJson` made it.
  const stored = json as unknown as StoredAccount;
  const { withLimits, ...plain } = stored;
  const books = fromStoredBooks({ ...plain, ...grantedOf(withLimits ?? stored) });
  const account: CreditAccount = { ...emptyAccount(), books };
  const { charges, sealedMonths, recurring, memory, postings, limits } = account;
  if (withLimits !== undefined) restoreLimits(limits, withLimits);
  for (const { movementId, key, credits, product, payer, cause, heldAt } of books.openHolds.values()) {
    const charge = { movementId, key, credits, product, payer, kind: cause.kind, status: 'held' } as const;
    rememberCharge(charges, { ...charge, heldFor: heldForOf(cause, heldAt), changedAt: null });
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
  memory.revision = point.revision;
  memory.preparedAfter = point.revision;
  memory.forgotten = point;
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
