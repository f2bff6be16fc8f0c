import fc from 'fast-check';
import { isCovered, isCoveredAt, isWatchedAt, lapseOf, withCovered, type Covered } from './coverage-facts.js';

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

it('OP-27 D-16 a unit that is due and was not tried is covered from the moment at which it is due', () => {
  const due = { status: 'monitored', lapsesAt: day(5), covered: [] } as const;
  expect([day(4), day(5), day(6)].map((at) => isCoveredAt(due, at))).toEqual([false, true, true]);
  expect(isCoveredAt({ ...due, status: 'not_covered' }, day(5))).toBe(false);
});

it('MON-58 a unit that is requested within a paid month needs the next one at its end', () => {
  expect(lapseOf(day(9), day(5))).toBe(day(9));
  expect(lapseOf(day(9), day(9))).toBe(day(9));
  expect(lapseOf(day(9), day(10))).toBe(day(10));
  expect(lapseOf(null, day(5))).toBe(day(5));
});

it('D-16 a free month is watched until the stop, a paid one to its end', () => {
  const covered = [{ from: day(1), until: day(9) }];
  const stopped = {
    status: 'stopped',
    lapsesAt: null,
    covered,
    wantedSince: null,
    stoppedAt: day(5),
  } as const;
  const watched = (isExempt: boolean) =>
    [day(4), day(5), day(8), day(9)].map((at) => isWatchedAt(stopped, at, isExempt));
  expect(watched(true)).toEqual([true, false, false, false]);
  expect(watched(false)).toEqual([true, true, true, false]);
  const wanted = { ...stopped, wantedSince: day(1), stoppedAt: null };
  expect(isWatchedAt(wanted, day(8), true)).toBe(true);
  expect(isWatchedAt({ ...stopped, stoppedAt: null }, day(4), true)).toBe(false);
});
