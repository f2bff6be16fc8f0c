import { stateFrom } from '#kernel/testing/scenario.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { exempt, grantOf, heldEarlier, partnerBilled, selfBilled } from '#ledger/testing/sample-entries.js';
import { balanceOf, type BalanceView } from './balance.answer.js';

const held = heldEarlier(9, '10000000');
const balanceAfter = (...events: readonly CreditEvent[]): BalanceView =>
  balanceOf(stateFrom(creditAccount, events).books);

describe('balance', () => {
  it('OP-22 shows the available credits, with the time of the last entry', () => {
    expect(balanceAfter(selfBilled, grantOf(1, '30000000'), held)).toEqual({
      balance: 20,
      held: 10,
      captured: 0,
      granted: 30,
      is_billed: true,
      billing: 'self',
      updated_at: '2026-01-01T00:00:02.000Z',
    });
  });

  it('OP-22 shows who pays', () => {
    expect(balanceAfter(exempt)).toMatchObject({ is_billed: false, billing: 'exempt' });
    expect(balanceAfter(partnerBilled)).toMatchObject({ is_billed: true, billing: 'partner' });
  });

  it('OP-11 is the exact decimal, also where floats would drift', () => {
    const tenths = [1, 2, 3].map((movementId) => grantOf(movementId, '100000'));
    expect(balanceAfter(selfBilled, ...tenths).balance).toBe(0.3);
  });
});
