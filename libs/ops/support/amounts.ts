import { parseCredits, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';

/** An amount as an operator writes it: a JSON number or decimal text, at most six decimals. */
export const CreditsInput = Type.Union([Type.Number(), Type.String()], {
  description: 'credits, at most six decimals',
});

export const invalidInput = refusal({
  code: 'invalid-input',
  kind: 'unprocessable',
  detail: 'The input is not valid.',
});

const SHAPE = 'must be a decimal number with at most six decimals, at most 1000000000';

/** Reads an amount exactly. Throws `invalidInput` naming the field. */
function readCredits(input: number | string, field = 'credits'): Credits {
  const amount = parseCredits(input);
  if (amount === null) throw invalidInput({ errors: fieldError(field, SHAPE) });
  return amount;
}

/** As `readCredits`, and more than zero. */
export function readPositiveCredits(input: number | string, field = 'credits'): Credits {
  const amount = readCredits(input, field);
  if (amount <= 0n) throw invalidInput({ errors: fieldError(field, 'must be more than 0') });
  return amount;
}

/** As `readCredits`, and zero or more. */
export function readLimit(input: number | string, field: string): Credits {
  const amount = readCredits(input, field);
  if (amount < 0n) throw invalidInput({ errors: fieldError(field, 'must be at least 0') });
  return amount;
}

/** As `readCredits`, of either sign and not zero. */
export function readChange(input: number | string): Credits {
  const amount = readCredits(input);
  if (amount === 0n) throw invalidInput({ errors: fieldError('credits', 'must not be 0') });
  return amount;
}
