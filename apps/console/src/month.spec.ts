import { monthAfter, monthAsked, periodOf } from './month.js';

describe('months of the console', () => {
  it('go over the end of a year in both directions', () => {
    expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1), periodOf('2026-12')]).toEqual([
      '2027-01',
      '2025-12',
      { from: '2026-12-01', to: '2027-01-01' },
    ]);
  });

  it('are the current month if none is given', () => {
    const now = new Date('2026-05-31T23:59:59Z');
    const asked = [null, '2026-13', 'x', '2026-02'].map((each) => monthAsked(each, now));
    expect(asked).toEqual(['2026-05', '2026-05', '2026-05', '2026-02']);
  });
});
