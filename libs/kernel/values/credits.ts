/**
 * Exact credit amounts: integers of 10^-6 credit as bigint inside, decimal text or the shortest JSON number
 * outside. At most 10^15 micro-credits (a billion credits), so that JSON numbers round-trip.
 */
export type Credits = bigint;

export const MICROS_PER_CREDIT = 1_000_000n;
const MICROS_AS_NUMBER = Number(MICROS_PER_CREDIT);
export const MAX_CREDITS: Credits = 10n ** 15n;
/** The largest amount, in whole credits. */
export const MOST_CREDITS = Number(MAX_CREDITS / MICROS_PER_CREDIT);

const DECIMAL = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/;

/**
 * Reads a decimal amount of credits (`"12.5"`, `12.5`) exactly.
 * Returns null for anything else: more than six decimals, exponents, NaN, infinities, over the limit.
 */
export function parseCredits(input: unknown): Credits | null {
  // Most amounts. Measured alternately: 0.02 us, by way of the text 0.16 us.
  if (typeof input === 'number' && Number.isInteger(input) && Math.abs(input) <= MOST_CREDITS) {
    return BigInt(input) * MICROS_PER_CREDIT;
  }
  const text = typeof input === 'number' && Number.isFinite(input) ? String(input) : input;
  if (typeof text !== 'string') return null;
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const micros = BigInt(whole) * MICROS_PER_CREDIT + BigInt(fraction.padEnd(6, '0'));
  if (micros > MAX_CREDITS) return null;
  return sign === '-' ? -micros : micros;
}

/** Whole credits, for constants: `credits(10)`. */
export function credits(whole: number): Credits {
  return BigInt(whole) * MICROS_PER_CREDIT;
}

/** The stored form of an amount inside events and documents: the integer of micro-credits as decimal text. */
export function toStored(amount: Credits): string {
  return amount.toString();
}

/** The amount of a stored form. */
export function fromStored(text: string): Credits {
  return BigInt(text);
}

/** Decimal text without trailing zeros: "12.5" for 12500000n. */
export function formatCredits(amount: Credits): string {
  const number = Number(amount);
  if (Number.isSafeInteger(number) && number % MICROS_AS_NUMBER === 0)
    return String(number / MICROS_AS_NUMBER);
  const sign = amount < 0n ? '-' : '';
  const micros = amount < 0n ? -amount : amount;
  const fraction = (micros % MICROS_PER_CREDIT).toString().padStart(6, '0').replace(/0+$/, '');
  return `${sign}${micros / MICROS_PER_CREDIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The JSON number of an amount. Exact: up to 16 significant digits, at most 10^15 micro-credits, survive. */
export function toJsonNumber(amount: Credits): number {
  const micros = Number(amount);
  // Both are the double next to the exact quotient. Measured alternately: 0.05 us, by way of the text 0.25 us.
  return Number.isSafeInteger(micros) ? micros / MICROS_AS_NUMBER : Number(formatCredits(amount));
}
