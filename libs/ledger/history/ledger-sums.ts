import { fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { emptyBooks, post, type Books, type OpenHold } from '#ledger/domain/books.js';
import type { LedgerEntry } from '#ledger/domain/credits.events.js';
import { readEntry, sealOf } from '#ledger/domain/ledger-entry.js';
import { addSpend, amountsOf, type AmountsByName, type SpendTotals } from './spend-totals.js';
import { fromStoredBooks, toStoredBooks, type StoredBooks } from '#ledger/domain/stored-books.js';

/** Credits captured since the first entry, for every payer. */
export type Spending = {
  readonly product: SpendTotals;
  readonly cause: SpendTotals;
  readonly payer: SpendTotals;
};

/** All sums of a ledger after an entry, in bounded memory. `addEntry` changes them in place. */
export type LedgerSums = {
  readonly books: Books;
  readonly spending: Spending;
  /** Captured credits of monitored months that the workspace itself paid. */
  ownMonths: Credits;
  /** The last entry included and its seal; null before the first. */
  revision: bigint | null;
  hash: string | null;
};

export function emptySums(): LedgerSums {
  const spending = { product: new Map(), cause: new Map(), payer: new Map() };
  return { books: emptyBooks(), spending, ownMonths: 0n, revision: null, hash: null };
}

/** The kind of cause of a monitored month, and the payer of a charge that the workspace itself pays. */
const MONTHS = 'monitoring';
const OWN = 'workspace';

/** An added entry, and the hold that it ended; null if it ended none. */
export type AddedEntry = { readonly entry: LedgerEntry; readonly ended: OpenHold | null };

/** Adds the next entry to the sums, in place. Throws if the entry does not follow from the entries before it. */
export function addEntry(sums: LedgerSums, stored: StoredEvent): AddedEntry {
  const entry = readEntry(stored);
  const isEnd = entry.type === 'CreditsCaptured' || entry.type === 'CreditsReleased';
  const ended = isEnd ? (sums.books.openHolds.get(entry.data.movementId) ?? null) : null;
  // The books refuse an end without an open hold, and leave the sums unchanged.
  post(sums.books, entry.type, entry);
  if (ended !== null && entry.type === 'CreditsCaptured') {
    addSpend(sums.spending.product, ended.product, ended.credits);
    addSpend(sums.spending.cause, ended.cause.kind, ended.credits);
    addSpend(sums.spending.payer, ended.payer, ended.credits);
    if (ended.cause.kind === MONTHS && ended.payer === OWN) sums.ownMonths += ended.credits;
  }
  sums.revision = stored.revision;
  sums.hash = sealOf(stored);
  return { entry, ended };
}

/** A copy of the spending that later entries do not change. */
export function copySpending({ product, cause, payer }: Spending): Spending {
  return { product: new Map(product), cause: new Map(cause), payer: new Map(payer) };
}

/** Spending in credits by name. */
export type SpentAmounts = {
  readonly byProduct: AmountsByName;
  readonly byCause: AmountsByName;
  readonly byPayer: AmountsByName;
};

/** Spending since `before`. */
export function spentAmounts(now: Spending, before: Spending = emptySums().spending): SpentAmounts {
  return {
    byProduct: amountsOf(less(now.product, before.product)),
    byCause: amountsOf(less(now.cause, before.cause)),
    byPayer: amountsOf(less(now.payer, before.payer)),
  };
}

function less(now: SpendTotals, before: SpendTotals): SpendTotals {
  const differences = [...now].map(([name, credits]) => [name, credits - (before.get(name) ?? 0n)] as const);
  return new Map(differences.filter(([, credits]) => credits !== 0n));
}

type StoredTotals = { readonly [name: string]: string };

/** Sums as JSON. */
export type StoredSums = StoredBooks & {
  readonly revision: string | null;
  readonly hash: string | null;
  readonly spending: {
    readonly product: StoredTotals;
    readonly cause: StoredTotals;
    readonly payer: StoredTotals;
  };
  /** Absent if no partner has paid anything: then all months are the workspace's own. */
  readonly ownMonths?: string;
};

/** False for sums that an earlier version stored after a partner had paid: they do not say who paid the months. */
export const hasOwnMonths = ({ ownMonths, spending }: StoredSums): boolean =>
  ownMonths !== undefined || Object.keys(spending.payer).every((payer) => payer === OWN);

export function toStoredSums({ books, spending, ownMonths, revision, hash }: LedgerSums): StoredSums {
  const isShared = [...spending.payer.keys()].some((payer) => payer !== OWN);
  return {
    revision: revision === null ? null : revision.toString(),
    hash,
    ...toStoredBooks(books),
    spending: {
      product: storedTotals(spending.product),
      cause: storedTotals(spending.cause),
      payer: storedTotals(spending.payer),
    },
    ...(isShared ? { ownMonths: toStored(ownMonths) } : {}),
  };
}

export function fromStoredSums(stored: StoredSums): LedgerSums {
  const { product, cause, payer } = stored.spending;
  return {
    books: fromStoredBooks(stored),
    spending: { product: totalsOf(product), cause: totalsOf(cause), payer: totalsOf(payer) },
    ownMonths: fromStored(stored.ownMonths ?? cause[MONTHS] ?? '0'),
    revision: stored.revision === null ? null : BigInt(stored.revision),
    hash: stored.hash,
  };
}

function storedTotals(totals: SpendTotals): StoredTotals {
  return Object.fromEntries([...totals].map(([name, credits]) => [name, toStored(credits)]));
}

function totalsOf(stored: StoredTotals): SpendTotals {
  return new Map(Object.entries(stored).map(([name, credits]) => [name, fromStored(credits)]));
}
