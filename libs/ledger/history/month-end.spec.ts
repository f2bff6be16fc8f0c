import { history } from '#kernel/testing/scenario.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { readMonthEnd } from './month-end.js';

const february = '2026-02-01T00:00:00.000Z';
const past: readonly CreditEvent[] = [
  { type: 'BillingModeSet', data: { billing: 'self' } },
  { type: 'CreditsGranted', data: { movementId: 1, credits: '5000000', reason: 'contract' } },
];

describe('the end of a month in a ledger', () => {
  it('reads closing, revision and seal of the last entry before the end', async () => {
    const later: CreditEvent = {
      type: 'CreditsWithdrawn',
      data: { movementId: 2, credits: '1', reason: 'r' },
    };
    const stored = history(creditAccount, [...past, { ...later, at: february }]);
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
