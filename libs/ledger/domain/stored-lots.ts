import { fromStored, toStored } from '#kernel/values/credits.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import type { Lot } from './lots.js';

type Amounts = 'granted' | 'free' | 'held' | 'captured' | 'withdrawn' | 'expired';
/** An open lot as JSON. */
export type StoredLot = Omit<Lot, Amounts> & { readonly [Amount in Amounts]: string };

export const toStoredLots = (lots: ReadonlyMap<number, Lot>): readonly StoredLot[] =>
  [...lots.values()].map((lot) => ({
    ...lot,
    granted: toStored(lot.granted),
    free: toStored(lot.free),
    held: toStored(lot.held),
    captured: toStored(lot.captured),
    withdrawn: toStored(lot.withdrawn),
    expired: toStored(lot.expired),
  }));

export function fromStoredLots(stored: readonly StoredLot[]): JournaledMap<number, Lot> {
  const lots = new JournaledMap<number, Lot>();
  for (const lot of stored) {
    lots.set(lot.id, {
      ...lot,
      granted: fromStored(lot.granted),
      free: fromStored(lot.free),
      held: fromStored(lot.held),
      captured: fromStored(lot.captured),
      withdrawn: fromStored(lot.withdrawn),
      expired: fromStored(lot.expired),
    });
  }
  return lots;
}
