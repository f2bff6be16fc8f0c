import { credits, fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import { AGENT_PRICES } from './agent-prices.js';

/** Stored credits by price item; null for a price list entry "no price". */
export type Prices = { readonly [item: string]: string | null };

/** The agents with a price: all that can be launched. */
const PRICED_AGENT_TYPES = [...AGENT_PRICES].flatMap(([type, { price }]) => (price === null ? [] : [type]));

/** A piece of work, which always has a price (OPS-06). */
export type PricedWork = 'launch' | 'profile' | 'account';

/** The items that can have a price: a month in a bucket, a signal of a template, a match of an agent type, a piece of work. */
export type PriceItem = `bucket:${string}` | `discovery:${string}` | `agent:${string}` | PricedWork;

const ITEM_PATTERNS: readonly RegExp[] = [
  /^bucket:(essential|standard|advanced)$/,
  /^discovery:[a-z0-9]+(-[a-z0-9]+)*$/,
  new RegExp(`^agent:(${PRICED_AGENT_TYPES.join('|')})$`),
  /^(launch|profile|account)$/,
];

/** Whether a text names an item that can have a price. Whether the catalogue has its template is not known here. */
export function isPriceItem(text: string): text is PriceItem {
  return text.length <= 120 && ITEM_PATTERNS.some((pattern) => pattern.test(text));
}

/**
 * Prices that come with this version beside those of the catalogue (OPS-06). The agents that cost nothing
 * are priced at 0, so that "no price" never has to mean "free".
 */
export const SHIPPED_PRICES: ReadonlyMap<PriceItem, string> = new Map<PriceItem, string>([
  ...[...AGENT_PRICES].flatMap(([type, { price }]) => shippedPriceOf(type, price)),
  ['launch', toStored(credits(1))],
  ['profile', toStored(credits(1))],
  ['account', toStored(credits(1))],
]);

function shippedPriceOf(type: string, price: Credits | null): readonly (readonly [PriceItem, string])[] {
  return price === null ? [] : [[`agent:${type}`, toStored(price)]];
}

/**
 * The price of an item for a workspace (OP-13): the rate of its partner if there is one, else the list price, else null.
 * Null means "no price yet", never "free". `partnerRates` is null for a workspace without a partner.
 */
export function resolvePrice(
  listPrices: Prices,
  partnerRates: Prices | null,
  item: PriceItem,
): Credits | null {
  const rate = priceIn(partnerRates, item) ?? priceIn(listPrices, item);
  return rate === null ? null : fromStored(rate);
}

function priceIn(prices: Prices | null, item: string): string | null {
  return prices !== null && Object.hasOwn(prices, item) ? (prices[item] ?? null) : null;
}
