/** A number as a fraction of integers, so that rounding never decides a comparison. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

/** The decimal digits of a number, exactly: 12.5 is 125 tenths. */
export function fractionOf(value: number): Fraction {
  const [digits = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = fraction.length - Number(exponent);
  const numerator = BigInt(whole + fraction);
  return scale >= 0
    ? { numerator, denominator: 10n ** BigInt(scale) }
    : { numerator: numerator * 10n ** BigInt(-scale), denominator: 1n };
}
