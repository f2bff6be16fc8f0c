import type { Faults } from '#kernel/values/faults.js';
import { RequestRefused } from '#http/problem.js';
import { MONTH_FIELD, periodGiven, periodOf } from './month.js';

describe('months of the console', () => {
  it('end where the next one begins; the last month of the last year has no end', () => {
    expect([periodOf('2026-12'), periodOf('9999-12')]).toEqual([
      { from: '2026-12-01', to: '2027-01-01' },
      { from: '9999-12-01' },
    ]);
  });

  it('CON-02 are refused if they are none, and absent if the field is empty', () => {
    const read = (raw: { readonly month?: string }): unknown => {
      const faults: Faults = new Map();
      const value = MONTH_FIELD.read('month', raw, faults);
      return faults.size === 0 ? value : [...faults];
    };
    expect([read({}), read({ month: '' }), read({ month: '2026-02' })]).toEqual([null, null, '2026-02']);
    for (const month of ['2026-13', 'x', '2026-1'])
      expect([month, read({ month })]).toEqual([month, [['month', ['must be a month, as 2026-01']]]]);
  });

  it('CON-02 a period has both of its ends', () => {
    expect(periodGiven(null, null)).toBeNull();
    expect(periodGiven('2026-01-01', '2026-01-02')).toEqual({ from: '2026-01-01', to: '2026-01-02' });
    for (const [from, to] of [
      ['2026-01-01', null],
      [null, '2026-01-01'],
    ] as const)
      expect(periodGiven(from, to)).toBeInstanceOf(RequestRefused);
  });
});
