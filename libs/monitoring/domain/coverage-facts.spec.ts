import fc from 'fast-check';
import { isCovered, withCovered, type Covered } from './coverage-facts.js';

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

it('D-16 know for every moment whether it was covered, with as few periods as possible', () => {
  const times = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })));
  fc.assert(
    fc.property(times, (pairs) => {
      const joined = pairs.reduce<readonly Covered[]>(
        (all, [from, until]) => withCovered(all, { from: day(from), until: day(until) }),
        [],
      );
      for (let moment = 1; moment <= 20; moment += 1) {
        const expected = pairs.some(([from, until]) => from <= moment && moment < until);
        expect(isCovered(joined, day(moment))).toBe(expected);
      }
      for (const [index, { from }] of joined.entries()) {
        const before = joined[index - 1];
        if (before !== undefined) expect(before.until < from).toBe(true);
      }
    }),
  );
});
