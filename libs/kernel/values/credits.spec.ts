import fc from 'fast-check';
import { credits, formatCredits, MAX_CREDITS, parseCredits, toJsonNumber } from './credits.js';

const amount = fc.bigInt({ min: -MAX_CREDITS, max: MAX_CREDITS });

describe('an amount of credits', () => {
  it('is read exactly from a number or a decimal text', () => {
    expect(parseCredits(12.5)).toBe(12_500_000n);
    expect(parseCredits('0.000001')).toBe(1n);
    // 8.03 * 10^6 is 8029999.999999999 in floats.
    expect(parseCredits('8.03')).toBe(8_030_000n);
    expect(parseCredits('-1.10')).toBe(-1_100_000n);
    expect(parseCredits('007')).toBe(credits(7));
  });

  it('may be the limit of 10^15 micro-credits and not one more', () => {
    expect(parseCredits('1000000000')).toBe(MAX_CREDITS);
    expect(parseCredits(1_000_000_000)).toBe(MAX_CREDITS);
    expect(parseCredits('-1000000000')).toBe(-MAX_CREDITS);
    expect(parseCredits('1000000000.000001')).toBe(null);
    expect(parseCredits('-1000000000.000001')).toBe(null);
  });

  it('refuses everything else: exponents, a seventh decimal, infinities, other notations', () => {
    const others = [
      '',
      ' 1',
      '1 ',
      '+1',
      '1e3',
      '1E3',
      '.5',
      '5.',
      '1,5',
      '0x10',
      '1.0000001',
      '--1',
      '١',
      'NaN',
    ];
    const numbers = [Number.NaN, Number.POSITIVE_INFINITY, 1e-7, 1e21, 0.1 + 0.2];
    for (const other of [...others, ...numbers, null, undefined, true, 1n, [1], {}]) {
      expect([other, parseCredits(other)]).toEqual([other, null]);
    }
  });

  it('is restored exactly from its text and from its JSON number', () => {
    fc.assert(
      fc.property(amount, (micros) => {
        expect(parseCredits(formatCredits(micros))).toBe(micros);
        expect(parseCredits(JSON.parse(JSON.stringify(toJsonNumber(micros))))).toBe(micros);
        expect(toJsonNumber(micros)).toBe(Number(formatCredits(micros)));
      }),
    );
  });
});
