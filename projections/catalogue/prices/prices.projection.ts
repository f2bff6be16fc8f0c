import type { PricesEvents } from '#catalogue/domain/prices/prices.events.js';
import { projection } from '#kernel/projections/projection.js';

/** Every list price in one document, so that a page of anything is priced with one read. */
export type ListPricesDocument = {
  /** Stored credits by price item; null if the price was removed. */
  readonly prices: { readonly [item: string]: string | null };
};

export const LIST_PRICES_KEY = 'list';

export const listPrices = projection<ListPricesDocument, PricesEvents>()({
  name: 'list-prices',
  version: 1,
  indexes: {},
  key: () => LIST_PRICES_KEY,
  on: {
    ListPriceSet: (document, { data: { item, credits } }) => ({
      prices: { ...document?.prices, [item]: credits },
    }),
  },
});
