import { fromStored, toStored } from '#kernel/values/credits.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import type { Lot } from './lots.js';

type Amounts = 'granted' | 'free' | 'held' | 'captured' | 'withdrawn' | 'expired';

/** A value for each amount of a lot. */
export const eachLotAmount = <Value>(of: (amount: Amounts) => Value): { [Amount in Amounts]: Value } => ({
  granted: of('granted'),
  free: of('free'),
  held: of('held'),
  captured: of('captured'),
  withdrawn: of('withdrawn'),
  expired: of('expired'),
});

/** An open lot as JSON. */
export type StoredLot = Omit<Lot, Amounts> & { readonly [Amount in Amounts]: string };

export const toStoredLots = (lots: ReadonlyMap<number, Lot>): readonly StoredLot[] =>
  [...lots.values()].map((lot) => ({
    ...lot,
    ...eachLotAmount((amount) => toStored(lot[amount])),
  }));

export function fromStoredLots(stored: readonly StoredLot[]): JournaledMap<number, Lot> {
  const lots = new JournaledMap<number, Lot>();
  for (const lot of stored)
    lots.set(lot.id, { ...lot, ...eachLotAmount((amount) => fromStored(lot[amount])) });
  return lots;
}
