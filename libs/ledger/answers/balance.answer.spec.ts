import { stateFrom } from '#kernel/testing/scenario.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { balanceOf, type BalanceView } from './balance.answer.js';

const selfBilled: CreditEvent = { type: 'BillingModeSet', data: { billing: 'self' } };
const grantOf = (movementId: number, credits: string): CreditEvent => ({
  type: 'CreditsGranted',
  data: { movementId, credits, reason: 'contract' },
});
const held: CreditEvent = {
  type: 'CreditsHeld',
  data: {
    movementId: 9,
    key: 'launch:1:9',
    credits: '10000000',
    product: 'keyword_match',
    payer: 'workspace',
    cause: { kind: 'signal', launchId: 1 },
  },
};
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
    const exempt: CreditEvent = { type: 'BillingModeSet', data: { billing: 'exempt' } };
    expect(balanceAfter(exempt)).toMatchObject({ is_billed: false, billing: 'exempt' });
    const partner: CreditEvent = { type: 'BillingModeSet', data: { billing: 'partner', partnerId: 7 } };
    expect(balanceAfter(partner)).toMatchObject({ is_billed: true, billing: 'partner' });
  });

  it('OP-11 is the exact decimal, also where floats would drift', () => {
    const tenths = [1, 2, 3].map((movementId) => grantOf(movementId, '100000'));
    expect(balanceAfter(selfBilled, ...tenths).balance).toBe(0.3);
  });
});
