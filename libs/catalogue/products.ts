import type { Credits } from '#kernel/values/credits.js';
import { AGENT_PRICES } from '#catalogue/domain/prices/agent-prices.js';
import type { PriceItem } from './domain/prices/price-resolution.js';

/** The price of one unit of work and its name on the bill. */
export type PricedProduct = { readonly credits: Credits; readonly product: string };

type ProductOf = (credits: Credits, of: string) => string;

const DISCOVERY: ReadonlyMap<Credits, string> = new Map([
  [10_000_000n, 'discovery_essential'],
  [20_000_000n, 'discovery_standard'],
  [40_000_000n, 'discovery_advanced'],
]);

/**
 * All charges: the kind of the price item with the price, and the product (OP-23, OP-24). Holds of operators are not
 * included: the operator names their price and product.
 */
const PRODUCTS: ReadonlyMap<string, ProductOf> = new Map<string, ProductOf>([
  ['agent', (_credits, type) => AGENT_PRICES.get(type)?.product ?? 'keyword_match'],
  ['discovery', (credits) => DISCOVERY.get(credits) ?? 'discovery_custom'],
  ['launch', () => 'account_mapping'],
  ['profile', () => 'profile_analysis'],
  ['account', () => 'account_mapping'],
  ['bucket', () => 'account_monitoring'],
]);

/** The product under which an item is charged at this price. */
export function productOf(item: PriceItem, credits: Credits): string {
  const [kind = '', of = ''] = item.split(':', 2);
  const product = PRODUCTS.get(kind);
  if (product === undefined) throw new Error(`nothing is charged as ${item}`);
  return product(credits, of);
}
