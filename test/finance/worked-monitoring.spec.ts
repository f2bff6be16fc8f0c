import { linesOnPage, plainLines } from './finance-tables.js';
import { workedMonitoring, workedMonitoringPage, type WorkedMonitoring } from './worked-monitoring.js';

describe('the worked month of monitoring in docs/finance.md', () => {
  let worked: WorkedMonitoring;
  beforeAll(async () => {
    worked = await workedMonitoring();
  });

  it('MON-50 MON-52 MON-53 MON-55 MON-56 MON-58 has the numbers calculated by hand', () => {
    // 27 granted; three months of 5; a stop and a start that cost nothing; 12 pay for two of three; 20 more pay for
    // the third at once and for two renewals a month after the second.
    const shownRows = worked.looks.map(({ at, summary, balance }) => [
      at.slice(5, 10),
      summary.monitored_count,
      summary.not_covered_count,
      summary.monthly_cost_credits,
      summary.renewal_shortfall_credits,
      balance,
    ]);
    expect(shownRows).toEqual([
      ['01-31', 3, 0, 15, 0, 27 - 15],
      ['02-10', 2, 0, 10, 0, 12],
      ['02-12', 3, 0, 15, 0, 12],
      ['02-28', 2, 1, 10, 5 - 2, 12 - 10],
      ['03-02', 2, 1, 10, 3, 2],
      ['03-02', 3, 0, 15, 0, 2 + 20 - 5],
      ['03-31', 3, 0, 15, 0, 17 - 10],
    ]);
    const { statement, verified, forecast } = worked;
    expect([statement.opening, statement.closing, statement.rows.length]).toEqual([0, 7, 2 + 2 * 8]);
    expect(statement.totals.by_product).toEqual({ account_monitoring: 8 * 5 });
    expect(verified).toEqual({ ok: true, units: 3, differences: [] });
    expect(forecast.days).toEqual([
      { date: '2026-04-02', credits_due: 5, balance_after: 2 },
      { date: '2026-04-30', credits_due: 10, balance_after: -8 },
    ]);
  });

  it('OP-27 begins the months on the 31st, and a month that was paid late on the day of its payment', () => {
    expect(worked.months.map(({ created_at, cause: { month } }) => [month, created_at.slice(5, 16)])).toEqual(
      [
        ...Array(3).fill(['2026-01', '01-31T10:00']),
        ...Array(2).fill(['2026-02', '02-28T10:00']),
        ['2026-03', '03-02T08:30'],
        ...Array(2).fill(['2026-03', '03-31T10:00']),
      ],
    );
  });

  it('equals the numbers on the page', () => {
    const shown = linesOnPage('worked monitoring');
    expect(shown.length).toBeGreaterThan(30);
    expect(shown).toEqual(plainLines(workedMonitoringPage(worked)));
  });
});
