import { credits } from '#kernel/values/credits.js';
import { addUnit, monthsOf, type ForecastUnit, type UnitsByMonths } from './months-due.js';

const NOW = '2026-01-31T09:00:00.000Z';
const monthsDueOf = (units: readonly ForecastUnit[], price = credits(5)) => {
  const counted: UnitsByMonths = new Map();
  for (const unit of units) addUnit(counted, unit);
  return monthsOf(counted, price, NOW, '2026-04-30T09:00:00.000Z');
};
const unit = { lapsesAt: '2026-02-28T10:00:00.000Z', anchorDay: 31 };

describe('OPS-24 the months that fall due', () => {
  it('are the renewals of each account, each at its time', () => {
    const other = { lapsesAt: '2026-02-28T23:00:00.000Z', anchorDay: null };
    expect(monthsDueOf([unit, other, unit])).toEqual([
      { at: '2026-02-28T10:00:00.000Z', credits: credits(10) },
      { at: '2026-03-31T10:00:00.000Z', credits: credits(10) },
      { at: '2026-02-28T23:00:00.000Z', credits: credits(5) },
      { at: '2026-03-28T23:00:00.000Z', credits: credits(5) },
      { at: '2026-04-28T23:00:00.000Z', credits: credits(5) },
    ]);
  });

  it('begin now if an account already needs one', () => {
    const months = monthsDueOf([{ lapsesAt: '2026-01-20T10:00:00.000Z', anchorDay: 20 }]);
    expect(months.map(({ at }) => at)).toEqual([NOW, '2026-02-28T09:00:00.000Z', '2026-03-31T09:00:00.000Z']);
  });
});
