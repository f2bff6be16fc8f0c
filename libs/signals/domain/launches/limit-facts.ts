import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { refusal } from '#kernel/values/refusal.js';

export const belowOnePrice = refusal({
  code: 'below-one-price',
  kind: 'unprocessable',
  detail: 'The limit of the launch does not cover one signal.',
});

/** The fault of a limit that does not cover one signal; null if it covers one, or if there is no limit or price. */
export function belowPriceFault(
  maxCredits: Credits | null | undefined,
  price: Credits | null,
): string | null {
  if (maxCredits === null || maxCredits === undefined || price === null || maxCredits >= price) return null;
  return `must be at least the price of one signal: ${toJsonNumber(price)}`;
}
