import { fromStored, toStored } from '#kernel/values/credits.js';
import { emptyBooks, type Billing, type Books, type OpenHold } from './books.js';
import type { Payer } from './credits.events.js';
import { fromStoredLots, toStoredLots, type StoredLot } from './stored-lots.js';

/**
 * Books as JSON. Open holds and accounts keep the order of their creation. If any lot had terms, the granted sums
 * are in `withLots`: a program that does not know lots cannot read those. It reads the entries instead and stops at
 * the first unknown one.
 */
export type StoredBooks = {
  readonly billing: Billing | null;
  readonly grants?: string;
  readonly withLots?: StoredLots;
  readonly withdrawals: string;
  readonly adjustments: string;
  readonly accounts: readonly { readonly payer: Payer; readonly held: string; readonly captured: string }[];
  readonly openHolds: readonly (Omit<OpenHold, 'credits'> & { readonly credits: string })[];
  readonly updatedAt: string | null;
};

export type StoredLots = {
  readonly grants: string;
  readonly expired: string;
  readonly open: readonly StoredLot[];
};

export function toStoredBooks(books: Books): StoredBooks {
  return {
    billing: books.billing,
    ...storedGrants(books),
    withdrawals: toStored(books.withdrawals),
    adjustments: toStored(books.adjustments),
    accounts: [...books.accounts].map(([payer, { held, captured }]) => ({
      payer,
      held: toStored(held),
      captured: toStored(captured),
    })),
    openHolds: [...books.openHolds.values()].map((hold) => ({ ...hold, credits: toStored(hold.credits) })),
    updatedAt: books.updatedAt,
  };
}

export function fromStoredBooks(stored: StoredBooks): Books {
  const { withLots } = stored;
  const grants = withLots?.grants ?? stored.grants;
  if (grants === undefined) throw new Error('books say what was granted');
  const books: Books = { ...emptyBooks(), lots: fromStoredLots(withLots?.open ?? []) };
  books.billing = stored.billing;
  books.grants = fromStored(grants);
  books.expired = withLots === undefined ? null : fromStored(withLots.expired);
  books.withdrawals = fromStored(stored.withdrawals);
  books.adjustments = fromStored(stored.adjustments);
  books.updatedAt = stored.updatedAt;
  for (const { payer, held, captured } of stored.accounts) {
    books.accounts.set(payer, { held: fromStored(held), captured: fromStored(captured) });
  }
  for (const hold of stored.openHolds) {
    books.openHolds.set(hold.movementId, { ...hold, credits: fromStored(hold.credits) });
  }
  return books;
}

function storedGrants({ grants, expired, lots }: Books): Pick<StoredBooks, 'grants' | 'withLots'> {
  if (expired === null) return { grants: toStored(grants) };
  return { withLots: { grants: toStored(grants), expired: toStored(expired), open: toStoredLots(lots) } };
}
