import { fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import type { Cause, CreditEventType, CreditPayloads, Payer, StoredShare } from './credits.events.js';
import { forNotes } from './notes-facts.js';
import type { EntryHandlers } from './ledger-entry.js';
import { dueLots, moveShares, type Lot } from './lots.js';
import { termsOf, type LotTerms } from './lot-facts.js';

/** Who pays for new movements. */
export type Billing =
  | { readonly mode: 'self' }
  | { readonly mode: 'partner'; readonly partnerId: number }
  | { readonly mode: 'exempt' };

/** A movement that is held and has not ended. */
export type OpenHold = {
  readonly movementId: number;
  readonly key: string;
  readonly credits: Credits;
  readonly product: string;
  readonly payer: Payer;
  readonly cause: Cause;
  readonly heldAt: string;
  /** Absent in holds of earlier versions; the ends of those do not carry the amount. */
  readonly endCarriesAmount?: true;
  /** The parts of it that come from lots with terms. */
  readonly lots?: readonly StoredShare[];
};

/** Credits of one payer, on hold and captured. */
export type Account = { readonly held: Credits; readonly captured: Credits };

/**
 * The sums of one ledger and its open holds, in bounded memory. Closed movements are not included. `post` changes it
 * in place.
 */
export type Books = {
  /** Null before the first BillingModeSet: the workspace was never provisioned. */
  billing: Billing | null;
  grants: Credits;
  withdrawals: Credits;
  /** Signed sum of the adjustments. */
  adjustments: Credits;
  /** Credits that the workspace pays, and that each partner pays for it. */
  readonly accounts: JournaledMap<Payer, Account>;
  readonly openHolds: JournaledMap<number, OpenHold>;
  /** Expired credits; null if no lot had terms. */
  expired: Credits | null;
  /** Lots with terms that have free or held credits. */
  readonly lots: JournaledMap<number, Lot>;
  /** When the last entry was recorded; null before the first. */
  updatedAt: string | null;
};

export function emptyBooks(): Books {
  return {
    billing: null,
    grants: 0n,
    withdrawals: 0n,
    adjustments: 0n,
    accounts: new JournaledMap(),
    openHolds: new JournaledMap(),
    expired: null,
    lots: new JournaledMap(),
    updatedAt: null,
  };
}

const handlers: EntryHandlers<Books, void> = {
  BillingModeSet: (books, { data }) => {
    books.billing = billingOf(data);
  },
  CreditsGranted: (books, { data }) => {
    books.grants += fromStored(data.credits);
  },
  LotGranted: (books, entry) => {
    const { movementId: id, recurring } = entry.data;
    const credits = fromStored(entry.data.credits);
    const rule = recurring === undefined ? {} : { rule: recurring.rule };
    addLot(books, { id, ...termsOf(entry.data), grantedAt: recordedAtOf(entry), ...rule }, credits);
    books.grants += credits;
  },
  OpeningImported: (books, { data }) => {
    for (const lot of data.lots ?? [])
      addLot(books, { id: lot.lot, ...termsOf(lot), grantedAt: lot.grantedAt }, fromStored(lot.credits));
    books.grants += fromStored(data.credits);
  },
  OpeningReversed: (books, { data }) => {
    moveShares(books.lots, data.lots ?? [], 'free', 'withdrawn');
    books.withdrawals += fromStored(data.credits);
  },
  LotExpired: (books, { data: { movementId: lot, credits } }) => {
    moveShares(books.lots, [{ lot, credits }], 'free', 'expired');
    books.expired = (books.expired ?? 0n) + fromStored(credits);
  },
  CreditsWithdrawn: (books, { data }) => {
    moveShares(books.lots, data.lots ?? [], 'free', 'withdrawn');
    books.withdrawals += fromStored(data.credits);
  },
  CreditsAdjusted: (books, { data }) => {
    moveShares(books.lots, data.lots ?? [], 'free', 'withdrawn');
    books.adjustments += fromStored(data.credits);
  },
  LotAdjusted: (books, entry) => {
    const credits = fromStored(entry.data.credits);
    addLot(
      books,
      { id: entry.data.movementId, ...termsOf(entry.data), grantedAt: recordedAtOf(entry) },
      credits,
    );
    books.adjustments += credits;
  },
  CreditsHeld: (books, entry) => {
    const { movementId, key, product, payer, cause, endCarriesAmount, lots } = entry.data;
    const credits = fromStored(entry.data.credits);
    if (lots !== undefined) holdShares(books, lots, recordedAtOf(entry));
    books.openHolds.set(movementId, {
      movementId,
      key,
      credits,
      product,
      payer,
      cause,
      heldAt: recordedAtOf(entry),
      ...(endCarriesAmount === undefined ? {} : { endCarriesAmount }),
      ...(lots === undefined ? {} : { lots }),
    });
    charge(books, payer, credits, 0n);
  },
  CreditsCaptured: (books, { data }) => {
    const hold = closeHold(books, data);
    moveShares(books.lots, hold.lots ?? [], 'held', 'captured');
    charge(books, hold.payer, 0n, hold.credits);
  },
  CreditsReleased: (books, { data }) => {
    const hold = closeHold(books, data);
    moveShares(books.lots, hold.lots ?? [], 'held', 'free');
  },
  ...forNotes(() => undefined),
};

/**
 * Folds one entry into the books, in place. Throws, without a change, if the entry ends a movement that is not open
 * or that was held with another amount or payer.
 */
export function post<Type extends CreditEventType>(
  books: Books,
  type: Type,
  entry: Recorded<CreditPayloads[Type]>,
): void {
  handlers[type](books, entry);
  books.updatedAt = recordedAtOf(entry);
}

/** Marks the books; the returned function restores the mark. */
export function markBooks(books: Books): () => void {
  const { billing, grants, withdrawals, adjustments, expired, updatedAt } = books;
  books.lots.mark();
  books.accounts.mark();
  books.openHolds.mark();
  return () => {
    books.lots.rewind();
    books.accounts.rewind();
    books.openHolds.rewind();
    Object.assign(books, { billing, grants, withdrawals, adjustments, expired, updatedAt });
  };
}

/** granted = grants − withdrawals ± adjustments − expired credits. */
export function granted(books: Books): Credits {
  return books.grants - books.withdrawals + books.adjustments - (books.expired ?? 0n);
}

/** Credits that the workspace itself has on hold and has spent. */
export function ownAccount(books: Books): Readonly<Account> {
  return books.accounts.get('workspace') ?? { held: 0n, captured: 0n };
}

/** The time of a decision made now: that of the last entry if the clock is behind the ledger. */
export function decisionTime({ updatedAt }: Pick<Books, 'updatedAt'>, now: string): string {
  return updatedAt !== null && updatedAt > now ? updatedAt : now;
}

/**
 * The time of the decision that a command is answered with. A command that an earlier attempt decided was decided at or
 * before the time of the last entry.
 */
export function answeredDecisionTime(
  { updatedAt }: Pick<Books, 'updatedAt'>,
  decidedAt: string | null,
): string {
  return decidedAt ?? updatedAt ?? '';
}

/** available = granted − held − captured, for the part that the workspace itself pays. */
export function available(books: Books): Credits {
  const { held, captured } = ownAccount(books);
  return granted(books) - held - captured;
}

/**
 * The available credits at `now`, or at the last entry if that is later: without lots that have expired by then, whose end
 * is not recorded yet (LOT-01).
 */
export const availableAt = (books: Books, now: string): Credits =>
  available(books) - dueLots(books.lots, decisionTime(books, now)).reduce((sum, { free }) => sum + free, 0n);

function addLot(
  books: Books,
  lot: Pick<Lot, 'id' | 'grantedAt' | 'rule'> & LotTerms,
  credits: Credits,
): void {
  const nothing = { held: 0n, captured: 0n, withdrawn: 0n, expired: 0n };
  books.lots.set(lot.id, { ...lot, granted: credits, free: credits, ...nothing });
  books.expired ??= 0n;
}

function billingOf(data: { readonly billing: Billing['mode']; readonly partnerId?: number }): Billing {
  if (data.billing !== 'partner') return { mode: data.billing };
  if (data.partnerId === undefined) throw new Error('a partner billing mode names its partner');
  return { mode: 'partner', partnerId: data.partnerId };
}

function charge(books: Books, payer: Payer, held: Credits, captured: Credits): void {
  const before = books.accounts.get(payer) ?? { held: 0n, captured: 0n };
  books.accounts.set(payer, { held: before.held + held, captured: before.captured + captured });
}

/** A new hold takes nothing from an expired lot. */
function holdShares(books: Books, shares: readonly StoredShare[], at: string): void {
  const over = shares.find(({ lot }) => (books.lots.get(lot)?.expiresAt ?? at + 1) <= at);
  if (over !== undefined) throw new Error(`lot ${over.lot} is over`);
  moveShares(books.lots, shares, 'free', 'held');
}

function closeHold(books: Books, end: CreditPayloads['CreditsCaptured']): OpenHold {
  const { movementId, credits, payer } = end;
  const hold = books.openHolds.get(movementId);
  if (hold === undefined) throw new Error(`movement ${movementId} is not open`);
  if (hold.endCarriesAmount === true && (credits !== toStored(hold.credits) || payer !== hold.payer)) {
    const held = `${toStored(hold.credits)} for ${hold.payer}`;
    throw new Error(`movement ${movementId} was held with ${held} and ends with ${credits} for ${payer}`);
  }
  books.openHolds.delete(movementId);
  charge(books, hold.payer, -hold.credits, 0n);
  return hold;
}
