import fc from 'fast-check';
import { fractionOf } from '#kernel/values/fraction.js';
import { isAtLeast, monthsAround, monthsBefore, roundedChange } from './headcount-change.js';

describe('a change of headcount', () => {
  it('D-70 reaches a percentage exactly, where floats would miss it', () => {
    expect(isAtLeast(fractionOf(33.3), 333, 1_000)).toBe(true);
    expect(isAtLeast(fractionOf(33.3), 332, 1_000)).toBe(false);
    expect(isAtLeast(fractionOf(1e-7), 1, 1_000_000_000)).toBe(true);
    expect(isAtLeast(fractionOf(1e-7), 0, 1_000_000_000)).toBe(false);
  });

  it('D-70 a percentage in tenths is reached exactly when its tenfold is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 100_000 }),
        (tenths, difference, earlier) => {
          expect(isAtLeast(fractionOf(tenths / 10), difference, earlier)).toBe(
            difference * 1_000 >= tenths * earlier,
          );
        },
      ),
    );
  });

  it('is shown with one decimal, half away from zero', () => {
    expect(roundedChange(150, 120)).toBe(25);
    expect(roundedChange(105, 120)).toBe(-12.5);
    expect(roundedChange(2_001, 2_000)).toBe(0.1);
    expect(roundedChange(1_999, 2_000)).toBe(-0.1);
    expect(roundedChange(2, 3)).toBe(-33.3);
  });
});

describe('calendar months', () => {
  it('D-70 a day that the month does not have becomes its last day, at the same time of day', () => {
    expect(monthsBefore(new Date('2026-08-31T10:20:30.000Z'), 6).toISOString()).toBe(
      '2026-02-28T10:20:30.000Z',
    );
    expect(monthsBefore(new Date('2026-01-05T00:00:00.000Z'), 12).toISOString()).toBe(
      '2025-01-05T00:00:00.000Z',
    );
  });

  it('D-37 D-71 around a month go over the end of a year, in both directions', () => {
    expect(monthsAround('2026-01', 2)).toEqual(['2025-12', '2026-02', '2025-11', '2026-03']);
    expect(monthsAround('2025-11', 11).toSorted()).toEqual([
      ...['2024-12', '2025-01', '2025-02', '2025-03', '2025-04', '2025-05', '2025-06', '2025-07', '2025-08'],
      ...['2025-09', '2025-10', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'],
      ...['2026-07', '2026-08', '2026-09', '2026-10'],
    ]);
    expect(monthsAround('2026-01', 0)).toEqual([]);
  });
});
