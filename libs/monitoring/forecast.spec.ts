import { credits } from '#kernel/values/credits.js';
import { forecastMonths, type ForecastInput } from './forecast.js';

const forecast = (more: Partial<ForecastInput>) =>
  forecastMonths({
    units: [],
    price: credits(5),
    balance: credits(12),
    now: '2026-01-31T09:00:00.000Z',
    until: '2026-04-30T09:00:00.000Z',
    ...more,
  });
const unit = { lapsesAt: '2026-02-28T10:00:00.000Z', anchorDay: 31 };

describe('OPS-24 the forecast of months', () => {
  it('foresees the renewals of each account, day by day, with what is left after them', () => {
    const other = { lapsesAt: '2026-02-28T23:00:00.000Z', anchorDay: null };
    expect(forecast({ units: [unit, other] })).toEqual({
      days: [
        { date: '2026-02-28', creditsDue: credits(10), balanceAfter: credits(2) },
        { date: '2026-03-28', creditsDue: credits(5), balanceAfter: credits(-3) },
        { date: '2026-03-31', creditsDue: credits(5), balanceAfter: credits(-8) },
        { date: '2026-04-28', creditsDue: credits(5), balanceAfter: credits(-13) },
      ],
      runsOutAt: '2026-03-28T23:00:00.000Z',
    });
  });

  it('takes what needs a month already for due now', () => {
    const { days } = forecast({ units: [{ lapsesAt: '2026-01-20T10:00:00.000Z', anchorDay: 20 }] });
    expect(days.map(({ date }) => date)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
  });

  it("runs out of nothing where the balance is enough, or is nobody's", () => {
    expect(forecast({ units: [unit], balance: credits(10) }).runsOutAt).toBeNull();
    const partner = forecast({ units: [unit], balance: null });
    expect([partner.runsOutAt, partner.days.map(({ balanceAfter }) => balanceAfter)]).toEqual([
      null,
      [0n, 0n],
    ]);
    expect(forecast({ units: [unit], price: 0n })).toEqual({ days: [], runsOutAt: null });
  });
});
