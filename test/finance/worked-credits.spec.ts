import { linesOnPage, plainLines } from './finance-tables.js';
import { workedCredits, workedCreditsPage, type WorkedCredits } from './worked-credits.js';

describe('the worked examples of credits before spending in docs/finance.md', () => {
  let worked: WorkedCredits;
  beforeAll(async () => {
    worked = await workedCredits();
  });

  it('LOT-02 LOT-03 LOT-07 a grant that expires has the values calculated by hand', () => {
    const { balances, statement } = worked.lots;
    const shownRows = balances.map(([, { balance, held, captured, expired, granted }]) => [
      balance,
      held,
      captured,
      expired,
      granted,
    ]);
    // 10 by contract, 6 until March. 3 and 2 are held, both from the 6: the remaining 1 expires at the end of
    // February.
    expect(shownRows).toEqual([
      [16 - 5, 5, 0, 0, 16],
      [11 - 1, 5, 0, 1, 15],
      // The 2 are released and expire at once; the 3 are spent completely, twelve hours after the expiry.
      [10 + 2 - 2, 3, 0, 3, 13],
      [10, 0, 3, 3, 13],
    ]);
    expect(statement.rows.map(({ kind, credits, balance }) => [kind, credits, balance])).toEqual([
      ['grant', 10, 10],
      ['grant', 6, 16],
      ['hold', -3, 13],
      ['hold', -2, 11],
      ['expiry', -1, 10],
      ['release', 2, 12],
      ['expiry', -2, 10],
      ['capture', 0, 10],
    ]);
    expect(statement.rows.map(({ at }) => at.slice(5, 16)).slice(4)).toEqual([
      '03-01T00:00',
      '03-01T09:00',
      '03-01T09:00',
      '03-01T12:00',
    ]);
    expect([statement.closing, statement.expired]).toEqual([10, 3]);
  });

  it('CAP-01 CAP-03 a cap allows two of five posts a day', () => {
    const shownRows = worked.cap.runs.map(({ stage, found, dropped, spent, capSpent, balance }) => [
      stage,
      found,
      dropped,
      spent,
      capSpent,
      balance,
    ]);
    // 25 a day and 10 per post: 2 posts, and on the next day 2 of the remaining 3.
    expect(shownRows).toEqual([
      ['completed_partial', 2, 3, 20, 20, 100 - 20],
      ['completed_partial', 2, 1, 20, 20, 80 - 20],
    ]);
    expect(worked.cap.refused).toMatchObject({
      status: 402,
      credits_required: 10,
      cap: { limit: 25, spent: 20 },
    });
  });

  it('QUO-01 QUO-02 a launch spends the quoted amount, although more was found', () => {
    const { quoted, run, again, next } = worked.quote;
    expect(quoted).toMatchObject({
      candidates: 5,
      new: 5,
      free: 0,
      priced: 5,
      credits_at_most: 50,
      exact: true,
    });
    expect(run).toMatchObject({ found: 5, dropped: 1, spent: 50, balance: 100 - 50 });
    expect(again).toMatch(/^409 /);
    expect(next).toMatchObject({ candidates: 6, new: 1, priced: 1, credits_at_most: 10 });
  });

  it('IMP-01 an opening equals the old closing, and work paid for there is not charged', () => {
    const { report, quoted, statement, verified } = worked.opening;
    expect(report.ok).toBe(true);
    expect(report.parity.map(({ closing, opening }) => [closing, opening])).toEqual([
      [60.5 + 20 + 15, 95.5],
      [60.5 + 20, 80.5],
      [15, 15],
      [1, 1],
      [2, 2],
    ]);
    expect(report.not_imported).toMatchObject({ open_holds: 1, held: 10, history: 1 });
    // Six posts, two of them paid for elsewhere.
    expect(quoted).toMatchObject({ candidates: 6, new: 4, priced: 4, credits_at_most: 40 });
    expect([statement.opening, statement.closing]).toEqual([0, 95.5 - 40]);
    expect(statement.rows.map(({ kind }) => kind)).toEqual([
      'import',
      ...Array(4).fill('hold'),
      ...Array(4).fill('capture'),
    ]);
    // The welcome credits expire first, so they are spent first: 10 on the first post, 5 on the second.
    expect(statement.rows.slice(1, 4).map(({ lots }) => lots?.map(({ credits }) => credits))).toEqual([
      [10],
      [5],
      undefined,
    ]);
    expect(verified).toMatchObject({ ok: true, differences: [] });
  });

  it('equal the numbers on the page', () => {
    const shown = linesOnPage('worked credits');
    expect(shown.length).toBeGreaterThan(40);
    expect(shown).toEqual(plainLines(workedCreditsPage(worked)));
  });
});
