import fc from 'fast-check';
import { formatCredits } from '#kernel/values/credits.js';
import { addSpend, amountsOf, type SpendTotals } from './spend-totals.js';

describe('totals of spending', () => {
  it('are exact to the last micro-credit, however many amounts there are', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 100_000_000_000n }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(amounts, (spent) => {
        const totals: SpendTotals = new Map();
        for (const credits of spent) addSpend(totals, 'keyword_match', credits);
        const sum = spent.reduce((total, credits) => total + credits, 0n);
        expect(totals.get('keyword_match')).toBe(sum);
        expect(amountsOf(totals)).toEqual({ keyword_match: Number(formatCredits(sum)) });
      }),
    );
  });

  it('are sorted by name, so that equal sums give equal bytes', () => {
    const totals: SpendTotals = new Map([
      ['b', 1n],
      ['a', 2_500_000n],
    ]);
    expect(JSON.stringify(amountsOf(totals))).toBe('{"a":2.5,"b":0.000001}');
  });
});
