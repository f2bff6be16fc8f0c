import { foreseenDays } from './foreseen-days.js';

const row = (date: string, balance: number, more = {}) => ({ date, balance, months: 0, expires: 0, ...more });

describe('the days of a forecast in a chart', () => {
  it('begin after today, with granted, due and expiring credits', () => {
    const rows = [
      row('2026-05-01', 9),
      row('2026-05-02', 5, { months: 4 }),
      row('2026-05-03', 3, { granted: 1, expires: 3 }),
    ];
    const { points, marks, notes } = foreseenDays(rows, { today: '2026-05-01', balance: 9 });
    expect(points).toEqual([
      { day: '2026-05-02', balance: 5, foreseen: true },
      { day: '2026-05-03', balance: 3, foreseen: true },
    ]);
    expect(marks.map(({ kind }) => kind)).toEqual(['due', 'expires']);
    expect([...notes.values()]).toEqual([
      ['months that fall due, 4 credits'],
      ['1 credit granted', '3 credits expire'],
    ]);
  });

  it('CON-07 end at zero, and show what is missing', () => {
    const rows = [row('2026-05-02', 0.5), row('2026-05-03', -3.5), row('2026-05-04', -7.5)];
    const { points, notes } = foreseenDays(rows, { today: '2026-05-01', balance: 4.5 });
    expect(points.map(({ balance }) => balance)).toEqual([0.5, 0, 0]);
    expect([...notes.values()]).toEqual([
      [],
      ['3.5 credits missing by then'],
      ['7.5 credits missing by then'],
    ]);
  });

  it('CON-07 end at the balance of today if that is negative', () => {
    const rows = [row('2026-05-02', -5), row('2026-05-03', -6)];
    const { points, notes } = foreseenDays(rows, { today: '2026-05-01', balance: -5 });
    expect(points.map(({ balance }) => balance)).toEqual([-5, -5]);
    expect([...notes.values()]).toEqual([[], ['6 credits missing by then']]);
  });
});
