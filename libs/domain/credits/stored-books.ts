import { fromStored, toStored } from '#kernel/values/credits.js';
import { emptyBooks, type Billing, type Books, type OpenHold } from './books.js';
import type { Payer } from './credits.events.js';

/** Books as JSON. Open holds and accounts stand in the order in which they came to be. */
export type StoredBooks = {
  readonly billing: Billing | null;
  readonly grants: string;
  readonly withdrawals: string;
  readonly adjustments: string;
  readonly accounts: readonly { readonly payer: Payer; readonly held: string; readonly captured: string }[];
  readonly openHolds: readonly (Omit<OpenHold, 'credits'> & { readonly credits: string })[];
  readonly updatedAt: string | null;
};

export function toStoredBooks(books: Books): StoredBooks {
  return {
    billing: books.billing,
    grants: toStored(books.grants),
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
  const books = emptyBooks();
  books.billing = stored.billing;
  books.grants = fromStored(stored.grants);
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
