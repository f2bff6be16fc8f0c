import { anchorAt, calendarMonthsBetween, monthFrom, monthKey, monthToPay } from './months-facts.js';

const at = (day: string, time = '10:00:00.000'): string => `${day}T${time}Z`;

describe('a monitored month', () => {
  it('OP-27 lasts one calendar month, to the same time of day', () => {
    expect(monthFrom(at('2026-07-15', '23:59:59.999'))).toEqual({
      from: at('2026-07-15', '23:59:59.999'),
      until: at('2026-08-15', '23:59:59.999'),
      anchorDay: 15,
    });
    expect(monthFrom(at('2026-12-31')).until).toBe(at('2027-01-31'));
  });

  it('MON-51 OP-27 ends on the last day of a month that is too short, and keeps its day for later ones', () => {
    const ends: string[] = [];
    for (
      let month = monthFrom(at('2027-12-31'));
      ends.length < 5;
      month = monthFrom(month.until, month.anchorDay)
    )
      ends.push(month.until);
    expect(ends).toEqual(
      ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31'].map((day) => at(day)),
    );
  });

  it('OP-27 never begins twice in one calendar month, for any day', () => {
    for (let day = 1; day <= 31; day += 1) {
      const begun = new Set<string>();
      let month = monthFrom(at(`2026-01-${String(day).padStart(2, '0')}`));
      for (let count = 0; count < 48; count += 1) {
        begun.add(month.from.slice(0, 7));
        month = monthFrom(month.until, month.anchorDay);
      }
      expect(begun.size).toBe(48);
    }
  });
});

describe('the month to be paid', () => {
  const lapse = { lapsesAt: at('2026-02-28'), anchorDay: 31, wasRefused: false };

  it('OP-27 begins at the end of the last one if it is processed within an hour', () => {
    const month = { from: at('2026-02-28'), until: at('2026-03-31'), anchorDay: 31 };
    expect(monthToPay(lapse, at('2026-02-28'))).toEqual(month);
    expect(monthToPay(lapse, at('2026-02-28', '11:00:00.000'))).toEqual(month);
  });

  it('OP-27 keeps the day of the last one only if that ended when the month is missing', () => {
    const last = { coveredUntil: at('2026-02-28'), anchorDay: 31 };
    expect(anchorAt(at('2026-02-28'), last)).toBe(31);
    expect(anchorAt(at('2026-03-28'), last)).toBeNull();
    expect(anchorAt(at('2026-02-28'), { coveredUntil: null, anchorDay: null })).toBeNull();
  });

  it('OP-27 begins now after a longer delay: missed months are not charged', () => {
    const late = at('2026-05-03', '11:00:00.001');
    expect(monthToPay(lapse, late)).toEqual(monthFrom(late, 3));
    expect(monthToPay(lapse, at('2026-02-28', '11:00:00.001')).anchorDay).toBe(28);
  });

  it('OP-27 begins now after a refusal, and its day is the new anchor', () => {
    const paidAt = at('2026-02-28', '10:30:00.000');
    expect(monthToPay({ ...lapse, wasRefused: true }, paidAt)).toEqual(monthFrom(paidAt, 28));
  });

  it('OP-27 begins when the account was requested, if no month ended then', () => {
    const first = { lapsesAt: at('2026-02-28'), anchorDay: null, wasRefused: false };
    expect(monthToPay(first, at('2026-02-28', '10:00:01.000'))).toEqual(monthFrom(at('2026-02-28'), 28));
  });
});

it('P14 the keys since a lapse are those of every calendar month up to now', () => {
  expect(calendarMonthsBetween(at('2026-11-30'), at('2027-02-01'))).toEqual([
    '2026-11',
    '2026-12',
    '2027-01',
    '2027-02',
  ]);
  expect(calendarMonthsBetween(at('2026-07-31'), at('2026-07-31'))).toEqual(['2026-07']);
  expect(monthKey(9, 4, '2026-07')).toBe('monitoring:9:4:2026-07');
});
