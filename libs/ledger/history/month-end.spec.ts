import { history } from '#kernel/testing/scenario.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { grantOf, selfBilled, withdrawalOf } from '#ledger/testing/sample-entries.js';
import { readMonthEnd } from './month-end.js';

const february = '2026-02-01T00:00:00.000Z';
const past = [selfBilled, grantOf(1, '5000000')];

describe('the end of a month in a ledger', () => {
  it('reads closing, revision and seal of the last entry before the end', async () => {
    const stored = history(creditAccount, [...past, { ...withdrawalOf(2, '1'), at: february }]);
    expect(await readMonthEnd([stored], '2026-01')).toEqual({
      month: '2026-01',
      closing: 5_000_000n,
      revision: 1,
      hash: stored[1]?.metadata['hash'],
      isComplete: true,
    });
    expect(await readMonthEnd([stored], '2026-02')).toMatchObject({ closing: 4_999_999n, isComplete: false });
    await expect(readMonthEnd([stored], '2025-12')).rejects.toThrow('begins after this month');
  });
});
