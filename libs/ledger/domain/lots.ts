import { fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import type { JournaledMap } from '#kernel/commands/journaled-map.js';
import { MOST_OPENING_LOTS, type CreditEvent, type StoredShare } from './credits.events.js';
import type { LotTerms } from './lot-facts.js';

/** The terms of every grant without terms. All of these grants together are one lot (LOT-04). */
export const PLAIN_TERMS: LotTerms = { expiresAt: null, priority: 50, promotional: false };

/** An open lot, named after the movement that granted it: granted = free + held + captured + withdrawn + expired. */
export type Lot = LotTerms & {
  readonly id: number;
  readonly grantedAt: string;
  /** The recurring grant that gave it. */
  readonly rule?: number;
  readonly granted: Credits;
  readonly free: Credits;
  readonly held: Credits;
  readonly captured: Credits;
  /** Including negative adjustments. */
  readonly withdrawn: Credits;
  readonly expired: Credits;
};

export const MOST_OPEN_LOTS = MOST_OPENING_LOTS;

type Pot = 'free' | 'held' | 'captured' | 'withdrawn' | 'expired';
type Lots = JournaledMap<number, Lot>;

export const isPlain = ({ expiresAt, priority, promotional }: LotTerms): boolean =>
  expiresAt === PLAIN_TERMS.expiresAt &&
  priority === PLAIN_TERMS.priority &&
  promotional === PLAIN_TERMS.promotional;

/**
 * Moves shares from one pot of their lots to another. A lot with nothing free or held is closed. Throws, without a
 * change, if a lot does not have the credits.
 */
export function moveShares(lots: Lots, shares: readonly StoredShare[], from: Pot, to: Pot): void {
  const moved = shares.map(({ lot: id, credits }) => {
    const lot = lots.get(id);
    const amount = fromStored(credits);
    if (lot === undefined || amount <= 0n || lot[from] < amount)
      throw new Error(`lot ${id} has no ${credits} ${from}`);
    return { ...lot, [from]: lot[from] - amount, [to]: lot[to] + amount };
  });
  for (const lot of moved) {
    if (lot.free === 0n && lot.held === 0n) lots.delete(lot.id);
    else lots.set(lot.id, lot);
  }
}

/** Free credits of lots with terms; the rest of the available credits is credit without terms. */
function freeInLots(lots: ReadonlyMap<number, Lot>): Credits {
  let free = 0n;
  for (const lot of lots.values()) free += lot.free;
  return free;
}

/**
 * Takes amounts, one after another, from free credits in the order of LOT-05, and returns the shares of lots with
 * terms. `available` is all available credits; the amounts must not exceed it.
 */
export function lotSpender(
  lots: ReadonlyMap<number, Lot>,
  available: Credits,
): (amount: Credits) => readonly StoredShare[] {
  if (lots.size === 0) return () => [];
  const plain = plainRest(lots, available);
  const rests = inSpendingOrder([...lots.values(), plain]).map(({ id, expiresAt, free }) => ({
    id,
    expiresAt,
    free,
  }));
  return (amount) => {
    const shares: StoredShare[] = [];
    let open = amount;
    for (const rest of rests) {
      if (open === 0n) break;
      const taken = rest.free < open ? rest.free : open;
      if (taken <= 0n) continue;
      rest.free -= taken;
      open -= taken;
      if (rest.id !== plain.id) shares.push(shareOf(rest, taken));
    }
    return shares;
  };
}

/** The free credits of a lot, and its place in the order of spending. */
export type SpendableLot = LotTerms & Pick<Lot, 'id' | 'rule' | 'grantedAt' | 'free'>;

/** All credit without terms, as one lot. */
export const plainRest = (lots: ReadonlyMap<number, Lot>, available: Credits): SpendableLot => ({
  ...PLAIN_TERMS,
  id: 0,
  grantedAt: '',
  free: available - freeInLots(lots),
});

/** Lots in the order of LOT-05. */
export const inSpendingOrder = <Ranked extends SpendableLot>(lots: readonly Ranked[]): readonly Ranked[] =>
  lots.toSorted(bySpending);

/** A share as entries carry it. */
export const shareOf = ({ id, expiresAt }: Pick<Lot, 'id' | 'expiresAt'>, credits: Credits): StoredShare => ({
  lot: id,
  credits: toStored(credits),
  ...(expiresAt === null ? {} : { expiresAt }),
});

/** The `lots` member of an entry; no member if no lot with terms is involved. */
export const withShares = (shares: readonly StoredShare[]): { readonly lots?: readonly StoredShare[] } =>
  shares.length === 0 ? {} : { lots: shares };

/** Lots that have expired at `at` and have free credits, in the order of their expiry. */
export function dueLots(
  lots: ReadonlyMap<number, Lot>,
  at: string,
): readonly (Lot & { expiresAt: string })[] {
  const due: (Lot & { expiresAt: string })[] = [];
  for (const lot of lots.values()) {
    const { expiresAt, free } = lot;
    if (expiresAt !== null && expiresAt <= at && free > 0n) due.push({ ...lot, expiresAt });
  }
  return due.sort((left, right) => compareText(left.expiresAt, right.expiresAt) || left.id - right.id);
}

/** The entry that ends the free credits of a lot. */
export const expiryOf = (movementId: number, credits: Credits, expiresAt: string): CreditEvent => ({
  type: 'LotExpired',
  data: { movementId, credits: toStored(credits), expiresAt },
});

/** Ends credits that are released at `at` to lots that have expired by then: they can no longer be spent (LOT-03). */
export function expiriesOf(released: readonly StoredShare[], at: string): readonly CreditEvent[] {
  const over = new Map<number, { readonly expiresAt: string; readonly credits: Credits }>();
  for (const { lot, credits, expiresAt } of released) {
    if (expiresAt === undefined || expiresAt > at) continue;
    over.set(lot, { expiresAt, credits: (over.get(lot)?.credits ?? 0n) + fromStored(credits) });
  }
  return [...over].map(([lot, { credits, expiresAt }]) => expiryOf(lot, credits, expiresAt));
}

type Ranked = LotTerms & Pick<Lot, 'id' | 'grantedAt'>;

/** LOT-05: priority, expiry (none last), promotional before paid, grant time, movement id. */
function bySpending(left: Ranked, right: Ranked): number {
  return (
    left.priority - right.priority ||
    compareText(left.expiresAt ?? NEVER, right.expiresAt ?? NEVER) ||
    Number(right.promotional) - Number(left.promotional) ||
    compareText(left.grantedAt, right.grantedAt) ||
    left.id - right.id
  );
}

/** Sorts after every timestamp. */
const NEVER = '~';

/** The order of two times or other texts of one form. */
export const compareText = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;
