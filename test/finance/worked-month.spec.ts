import { linesOnPage, plainLines } from './finance-tables.js';
import { workedMonth, workedMonthPage, type WorkedMonth } from './worked-month.js';

describe('the worked month of docs/finance.md', () => {
  let month: WorkedMonth;
  beforeAll(async () => {
    month = await workedMonth();
  });

  it('has the numbers calculated by hand', () => {
    // 300 granted, 5 matches at 10, 12.5 captured, 20 held and released, 10 adjusted, 50 withdrawn, 7.5 held.
    const { january, february, partner, atMonthEnd } = month;
    expect([january.opening, january.closing]).toEqual([0, 300 - 5 * 10 - 12.5 + 10 - 50 - 7.5]);
    expect(january.totals).toEqual({
      by_product: { export: 12.5, keyword_match: 50 },
      by_cause: { operator: 12.5, signal: 50 },
      by_payer: { workspace: 62.5 },
    });
    expect(atMonthEnd).toMatchObject({
      balance: { balance: 190, held: 7.5, captured: 62.5, granted: 260 },
      open_holds: [{ key: 'report:7', credits: 7.5 }],
    });
    expect([february.opening, february.closing, february.totals.by_product]).toEqual([
      190,
      190,
      { report: 7.5 },
    ]);
    expect([partner.opening, partner.closing, partner.totals.by_payer]).toEqual([0, 0, { 'partner:1': 15 }]);
    expect(month.charge.corrections).toEqual([expect.objectContaining({ credits: 10 })]);
    expect(month.closed).toMatchObject({ closing: 190, revision: january.revision });
  });

  it('equals the numbers on the page', () => {
    const shown = linesOnPage('worked month');
    expect(shown.length).toBeGreaterThan(30);
    expect(shown).toEqual(plainLines(workedMonthPage(month)));
  });
});
