import { decimalNumber } from './decimal-number.js';

describe('a number in decimal digits', () => {
  it('is read with its sign and its decimals, also between white space', () => {
    expect(['0', '12', '-5', '1.25', ' 7 ', '007'].map(decimalNumber)).toEqual([0, 12, -5, 1.25, 7, 7]);
  });

  it('is NaN in any other notation, and for no text', () => {
    for (const text of ['', ' ', '0x10', '1e3', '0b1', '1.', '.5', '+1', '1,5', '٣', 'Infinity', '1_000'])
      expect([text, decimalNumber(text)]).toEqual([text, Number.NaN]);
  });
});
