import type { Credits } from '#kernel/values/credits.js';
import { AGENT_PRICES } from '#catalogue/domain/prices/agent-prices.js';
import type { PriceItem } from './domain/prices/price-resolution.js';

/** What one piece of work costs, and what it is called on the bill. */
export type PricedProduct = { readonly credits: Credits; readonly product: string };

type ProductOf = (credits: Credits, of: string) => string;

const DISCOVERY: ReadonlyMap<Credits, string> = new Map([
  [10_000_000n, 'discovery_essential'],
  [20_000_000n, 'discovery_standard'],
  [40_000_000n, 'discovery_advanced'],
]);

/**
 * Everything that is charged for: the kind of price item that says what it costs, and its product (OP-23, OP-24).
 * Holds of operators are not here: whoever makes one says what it costs and what it is called.
 */
const PRODUCTS: ReadonlyMap<string, ProductOf> = new Map<string, ProductOf>([
  ['agent', (_credits, type) => AGENT_PRICES.get(type)?.product ?? 'keyword_match'],
  ['discovery', (credits) => DISCOVERY.get(credits) ?? 'discovery_custom'],
  ['launch', () => 'account_mapping'],
  ['profile', () => 'profile_analysis'],
  ['account', () => 'account_mapping'],
  ['bucket', () => 'account_monitoring'],
]);

/** The product that an item is charged as at this price. */
export function productOf(item: PriceItem, credits: Credits): string {
  const [kind = '', of = ''] = item.split(':', 2);
  const product = PRODUCTS.get(kind);
  if (product === undefined) throw new Error(`nothing is charged as ${item}`);
  return product(credits, of);
}
