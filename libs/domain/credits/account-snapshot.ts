import { fromStored, toStored } from '#kernel/credits.js';
import type { StreamPlace } from '#kernel/decider.js';
import type { JsonObject } from '#kernel/json.js';
import type { Billing, OpenHold } from './books.js';
import { rememberCharge } from './charges.js';
import { emptyAccount, type CreditAccount, type PeriodSeal } from './credit-account.js';
import type { Payer } from './credits.events.js';

/** A ledger's state in its snapshot: sums, open holds, seals. Keys of what has ended are looked up later. */
type StoredAccount = {
  readonly billing: Billing | null;
  readonly grants: string;
  readonly withdrawals: string;
  readonly adjustments: string;
  readonly accounts: readonly { readonly payer: Payer; readonly held: string; readonly captured: string }[];
  readonly openHolds: readonly (Omit<OpenHold, 'credits'> & { readonly credits: string })[];
  readonly updatedAt: string | null;
  readonly sealedMonths: readonly PeriodSeal[];
};

export function accountToJson({ books, sealedMonths }: CreditAccount): JsonObject {
  const stored: StoredAccount = {
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
    sealedMonths: [...sealedMonths.values()],
  };
  return stored;
}

/** The state after the entry at `place`, which has forgotten every key that was not open then. */
export function accountFromJson(json: JsonObject, place: StreamPlace): CreditAccount {
  // The snapshot's version and checksum were checked: it is what `accountToJson` made.
  const stored = json as unknown as StoredAccount;
  const account = emptyAccount();
  const { books, charges, sealedMonths, memory } = account;
  books.billing = stored.billing;
  books.grants = fromStored(stored.grants);
  books.withdrawals = fromStored(stored.withdrawals);
  books.adjustments = fromStored(stored.adjustments);
  books.updatedAt = stored.updatedAt;
  for (const { payer, held, captured } of stored.accounts) {
    books.accounts.set(payer, { held: fromStored(held), captured: fromStored(captured) });
  }
  for (const { credits, ...hold } of stored.openHolds) {
    const open = { ...hold, credits: fromStored(credits) };
    books.openHolds.set(open.movementId, open);
    const { movementId, key, product } = open;
    rememberCharge(charges, {
      movementId,
      key,
      credits: open.credits,
      product,
      status: 'held',
      changedAt: null,
    });
  }
  for (const seal of stored.sealedMonths) sealedMonths.set(seal.month, seal);
  memory.revision = place.revision;
  memory.forgotten = place;
  return account;
}
