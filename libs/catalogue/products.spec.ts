import { credits } from '#kernel/values/credits.js';
import type { PriceItem } from './domain/prices/price-resolution.js';
import { productOf } from './products.js';

describe('the product of a charge', () => {
  for (const [item, price, product] of [
    ['agent:keyword_detection', 10, 'keyword_match'],
    ['agent:keyword_post_search', 10, 'keyword_match'],
    ['agent:job_posting_keyword_detection', 10, 'keyword_match'],
    ['agent:competitor', 10, 'lead_discovery'],
    ['discovery:new-executive', 10, 'discovery_essential'],
    ['discovery:new-executive', 20, 'discovery_standard'],
    ['discovery:new-executive', 40, 'discovery_advanced'],
    ['discovery:new-executive', 12, 'discovery_custom'],
    ['launch', 1, 'account_mapping'],
    ['profile', 1, 'profile_analysis'],
    ['account', 1, 'account_mapping'],
    ['bucket:essential', 5, 'account_monitoring'],
  ] as const satisfies readonly (readonly [PriceItem, number, string])[]) {
    it(`USE-18 ${product} for ${item} at ${price}`, () => {
      expect(productOf(item, credits(price))).toBe(product);
    });
  }
});
