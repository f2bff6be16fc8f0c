import { MICROS_PER_CREDIT, parseCredits, toStored } from '#kernel/values/credits.js';
import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { isPriceItem } from './price-resolution.js';
import { pricesEvents, type PricesEvents } from './prices.events.js';

type Price = { readonly credits: string | null; readonly setBy: 'catalogue' | 'operator' };
export type PriceList = { readonly prices: Map<string, Price> };

/** The list prices of the service: one stream. */
export const priceList = decider<PriceList>()({
  category: 'prices',
  scope: 'global',
  strict: true,
  vocabulary: pricesEvents,
  initial: () => ({ prices: new Map() }),
  on: {
    ListPriceSet: (state, { data: { item, credits, setBy } }) => {
      state.prices.set(item, { credits, setBy });
      return state;
    },
  },
});

export const invalidPrice = refusal({
  code: 'invalid-price',
  kind: 'unprocessable',
  detail: 'The price is not valid.',
});

type ParsedPrice = { readonly item: string; readonly credits: string | null };

/** Work that is always charged: the list has a price of it at any time. */
const ALWAYS_PRICED: ReadonlySet<string> = new Set(['launch', 'profile', 'account']);

/** Parses a list price of an operator: as `parsePrice`, but work that is always charged keeps a price. */
export function parseListPrice(item: string, credits: unknown): ParsedPrice {
  const price = parsePrice(item, credits);
  if (price.credits === null && ALWAYS_PRICED.has(item))
    throw invalidPrice({ errors: fieldError('credits', 'must be a number: the item always has a price') });
  return price;
}

/** Parses the price of an operator: an exact amount of at least 0, or null for "no price". */
export function parsePrice(item: string, credits: unknown): ParsedPrice {
  if (!isPriceItem(item)) throw invalidPrice({ errors: fieldError('item', 'is not an item with a price') });
  if (credits === null) return { item, credits: null };
  const amount = parseCredits(credits);
  if (amount === null || amount < 0n) {
    throw invalidPrice({
      errors: fieldError('credits', 'must be a number of at least 0 with at most 6 decimals'),
    });
  }
  // The API answers the cost of a launch as an integer.
  if (item === 'launch' && amount % MICROS_PER_CREDIT !== 0n)
    throw invalidPrice({ errors: fieldError('credits', 'must be a whole number for a launch') });
  return { item, credits: toStored(amount) };
}

/** An operator's price; a later catalogue does not change it. */
export const setListPrice =
  (price: { readonly item: string; readonly credits: string | null }) =>
  (state: PriceList): EventOf<PricesEvents>[] => {
    const known = state.prices.get(price.item);
    if (known !== undefined && known.setBy === 'operator' && known.credits === price.credits) return [];
    return [{ type: 'ListPriceSet', data: { ...price, setBy: 'operator' } }];
  };

/** The prices of a catalogue or a version: used only for items without a price of an operator. */
export const setShippedPrices =
  (shipped: ReadonlyMap<string, string | null>) =>
  (state: PriceList): EventOf<PricesEvents>[] =>
    [...shipped]
      .filter(([item, credits]) => {
        const known = state.prices.get(item);
        return known === undefined
          ? credits !== null
          : known.setBy === 'catalogue' && known.credits !== credits;
      })
      .map(([item, credits]) => ({ type: 'ListPriceSet', data: { item, credits, setBy: 'catalogue' } }));
