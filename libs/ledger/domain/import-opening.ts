import { MAX_CREDITS, toStored, type Credits } from '#kernel/values/credits.js';
import { refusal } from '#kernel/values/refusal.js';
import type { CreditAccount, CurrentOpening, Openings } from './account-state.js';
import { available, granted, ownAccount } from './books.js';
import { LedgerMoved } from './ledger-moved.js';
import { correctionsOf } from './corrections.js';
import { billingOf, creditLimitExceeded, type CreditDecision } from './credit-account.js';
import { MOST_OPENING_LOTS, type CreditPayloads } from './credits.events.js';
import { askCorrections, requireRemembered } from './ledger-memory.js';
import { shareOf, withShares, type Lot } from './lots.js';
import type { LotTerms } from './lot-facts.js';
import { expiryPassed, tooManyLots } from './post-credits.js';

/** The rest of a grant in another system. */
export type OpeningLot = LotTerms & {
  /** Its movement here, allocated beforehand. */
  readonly id: number;
  readonly credits: Credits;
  readonly grantedAt: string;
};

/** The opening to import. The same `source.hash` is the same opening. */
export type OpeningImport = Pick<CreditPayloads['OpeningImported'], 'movementId' | 'reason' | 'source'> & {
  readonly plain: Credits;
  /** Lots with terms. */
  readonly lots: readonly OpeningLot[];
  readonly paid: CurrentOpening['paid'];
  readonly left: { readonly openHolds: number; readonly held: Credits; readonly history: number };
  /**
   * The revision up to which the caller has read the ledger and found no adjustment; -1: the caller has read nothing.
   */
  readonly readUpTo: bigint;
};

export const ledgerHasMovements = refusal({
  code: 'ledger-has-movements',
  kind: 'conflicting',
  detail: 'An opening can be imported only into a workspace whose ledger has no movement.',
});

export const openingReversed = refusal({
  code: 'opening-reversed',
  kind: 'conflicting',
  detail: 'This file was imported and reversed: import another file instead.',
});

export const noOpening = refusal({
  code: 'no-opening',
  kind: 'missing',
  detail: 'This workspace has no opening that was imported.',
});

export const openingUsed = refusal({
  code: 'opening-used',
  kind: 'conflicting',
  detail:
    'Imported credits were held, spent, taken back or have expired: correct the balance by adjustments.',
});

/**
 * Imports the credits of a workspace in another system as the first movement of its ledger. Idempotent for the same
 * file. Throws `LedgerMoved` if the ledger has to be read further to know whether it has movements.
 */
export const importOpening =
  (wanted: OpeningImport): CreditDecision =>
  (account, at) => {
    billingOf(account);
    const { current, reversed } = account.openings;
    const { plain, lots, source, paid, left, movementId, reason } = wanted;
    if (current?.hash === source.hash) return [];
    if (reversed.some(({ hash }) => hash === source.hash)) throw openingReversed();
    if (hasMovements(account)) throw ledgerHasMovements();
    const { forgotten } = account.memory;
    if (forgotten !== null && forgotten.revision > wanted.readUpTo) throw new LedgerMoved();
    const credits = lots.reduce((sum, lot) => sum + lot.credits, plain);
    if (granted(account.books) + credits > MAX_CREDITS) throw creditLimitExceeded();
    if (lots.length > MOST_OPENING_LOTS) throw tooManyLots();
    const over = lots.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= at);
    if (over.length > 0)
      throw expiryPassed({
        detail: `${over.length} of the lots expired before ${at}: leave them out of the file, and out of the closing.`,
      });
    const data = {
      movementId,
      credits: toStored(credits),
      reason,
      ...(lots.length === 0 ? {} : { lots: lots.map(storedLot) }),
      source,
      ...(paid.count === 0 ? {} : { paid }),
      left: { ...left, held: toStored(left.held) },
    };
    return [{ type: 'OpeningImported', data }];
  };

/**
 * Takes back an opening as a whole, while nothing of it is held, spent or taken back (IMP-01). `readUpTo` is the revision
 * up to which the caller has read the ledger and found no adjustment that took credits; -1: the caller has read nothing.
 * Throws `LedgerMoved` if the ledger has to be read further to know whether there is one.
 */
export const reverseOpening =
  (movementId: number, reason: string, readUpTo = -1n): CreditDecision =>
  (account) => {
    billingOf(account);
    const { books, openings } = account;
    const { current } = openings;
    if (current === null) throw noOpening();
    if (!isWhole(account, current, readUpTo)) throw openingUsed();
    const shares = lotsOf(account, current).map((lot) => shareOf(lot, lot.free));
    const { credits, movementId: reverses } = current;
    if (credits > available(books)) throw openingUsed();
    const data = { movementId, credits: toStored(credits), reason, reverses, ...withShares(shares) };
    return [{ type: 'OpeningReversed', data }];
  };

/** Whether all credits of an opening are free: all of its lots, and its credits without terms. */
function isWhole(account: CreditAccount, opening: CurrentOpening, readUpTo: bigint): boolean {
  const lots = lotsOf(account, opening);
  return (
    lots.length === opening.lots.length &&
    lots.every(({ granted: whole, free }) => whole === free) &&
    (opening.plain === 0n || isPlainWhole(account, opening, readUpTo)) &&
    !isCorrected(account, opening)
  );
}

/**
 * Whether imported credits without terms are free. Such credits do not say whether they were imported, so no other
 * credits may be gone either.
 */
function isPlainWhole(account: CreditAccount, opening: CurrentOpening, readUpTo: bigint): boolean {
  const { books, openings } = account;
  const { held, captured } = ownAccount(books);
  const undone = undoneBy(openings);
  return (
    held === 0n &&
    captured === 0n &&
    books.withdrawals === undone &&
    !isAdjustedDown(account, opening, readUpTo)
  );
}

/** Whether an adjustment after the opening took credits. The sums do not say so: others may have given as much. */
function isAdjustedDown(
  { postings, memory: { forgotten } }: CreditAccount,
  { revision }: CurrentOpening,
  readUpTo: bigint,
): boolean {
  if ([...postings.byMovement.values()].some(({ kind, credits }) => kind === 'adjustment' && credits < 0n))
    return true;
  if (forgotten !== null && forgotten.revision > revision && forgotten.revision > readUpTo)
    throw new LedgerMoved();
  return false;
}

/**
 * Whether corrections took back a part of the opening. They may have taken it from other credits: then all lots of the
 * opening are still whole, and a reversal would take that part back a second time.
 */
function isCorrected(account: CreditAccount, { movementId, lots }: CurrentOpening): boolean {
  const movements = [movementId, ...lots];
  requireRemembered(account, movements.map(askCorrections));
  return movements.some((each) => correctionsOf(account, each) < 0n);
}

/** The credits of all reversed openings. */
const undoneBy = ({ reversed }: Openings): Credits =>
  reversed.reduce((sum, { credits }) => sum + credits, 0n);

const lotsOf = ({ books }: CreditAccount, { lots }: CurrentOpening): readonly Lot[] =>
  lots.flatMap((id) => books.lots.get(id) ?? []);

/** Whether anything was ever granted, taken back, adjusted or held, apart from reversed openings. */
function hasMovements({ books, postings, openings }: CreditAccount): boolean {
  const undone = undoneBy(openings);
  const { grants, withdrawals, adjustments, accounts } = books;
  return (
    openings.current !== null ||
    grants !== undone ||
    withdrawals !== undone ||
    adjustments !== 0n ||
    accounts.size > 0 ||
    // Adjustments with a sum of zero.
    [...postings.byMovement.values()].some(({ kind }) => kind !== 'import' && kind !== 'reversal')
  );
}

const storedLot = ({ id, credits, expiresAt, priority, promotional, grantedAt }: OpeningLot) => ({
  lot: id,
  credits: toStored(credits),
  ...(expiresAt === null ? {} : { expiresAt }),
  priority,
  promotional,
  grantedAt,
});
