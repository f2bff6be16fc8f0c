import { monthAfter } from './calendar-months.js';

describe('calendar months', () => {
  it('go over the end of a year in both directions, also in the first hundred years', () => {
    expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-11', 26)]).toEqual([
      '2027-01',
      '2025-12',
      '2029-01',
    ]);
    expect([monthAfter('0050-12', 1), monthAfter('0100-01', -1)]).toEqual(['0051-01', '0099-12']);
  });

  it('OPS-17 are null outside the years 0 to 9999', () => {
    expect([monthAfter('9999-12', 1), monthAfter('9999-11', 1)]).toEqual([null, '9999-12']);
    expect([monthAfter('0000-01', -1), monthAfter('0000-02', -1)]).toEqual([null, '0000-01']);
  });
});
