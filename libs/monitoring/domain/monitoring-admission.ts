import { refusal } from '#kernel/values/refusal.js';

/** A missing price is not a price of 0: the charge cannot be known (OP-27). */
export const priceNotAvailable = refusal({
  code: 'price-not-available',
  kind: 'conflicting',
  title: 'Price not available',
  detail: 'There is no price for monitoring an account yet.',
});
