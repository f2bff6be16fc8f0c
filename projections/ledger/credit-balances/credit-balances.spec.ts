import type { CreditEvent, Payer } from '#ledger/domain/credits.events.js';
import { foldAll } from '#kernel/testing/project.js';
import { endedEarlier, heldEarlier, partnerBilled, selfBilled } from '#ledger/testing/sample-entries.js';
import { creditBalances } from './credit-balances.projection.js';

const balanceAfter = (...events: readonly CreditEvent[]) =>
  foldAll(
    creditBalances,
    events.map((event, index) => ({
      ...event,
      stream: 'credits-5',
      metadata: { recordedAt: `2026-01-05T10:0${index}:00.000Z`, workspaceId: '5' },
    })),
  ).get('5');
const posting = (credits: string) => ({ movementId: 1, credits, reason: '' });

describe('the credit balances', () => {
  it('OP-22 sum grants, withdrawals, adjustments, holds and spending', () => {
    const past: readonly CreditEvent[] = [
      selfBilled,
      { type: 'CreditsGranted', data: posting('1000000000') },
      { type: 'CreditsWithdrawn', data: posting('100000000') },
      { type: 'CreditsAdjusted', data: posting('-1') },
      heldEarlier(41, '12500000'),
      heldEarlier(42, '20000000'),
      heldEarlier(43, '1'),
      endedEarlier('CreditsCaptured', 41),
      endedEarlier('CreditsReleased', 42),
    ];
    expect(balanceAfter(...past)).toEqual({
      workspaceId: 5,
      billing: 'self',
      granted: '899999999',
      held: '1',
      captured: '12500000',
      openHolds: { 43: '1' },
      expiresNext: null,
      updatedAt: '2026-01-05T10:08:00.000Z',
      revision: 8,
    });
  });

  it('do not store an open hold whose end carries its amount', () => {
    const marked = (movementId: number, credits: string, payer: Payer = 'workspace') =>
      heldEarlier(movementId, credits, { payer, endCarriesAmount: true });
    const carrying = (
      type: 'CreditsCaptured' | 'CreditsReleased',
      movementId: number,
      credits: string,
      payer: Payer = 'workspace',
    ) => endedEarlier(type, movementId, { credits, payer });
    const past: readonly CreditEvent[] = [
      { type: 'CreditsGranted', data: posting('1000000000') },
      marked(41, '12500000'),
      marked(42, '20000000'),
      marked(43, '1'),
      marked(44, '7', 'partner:7'),
      // held by an earlier version, whose ends carry no amount
      heldEarlier(45, '3'),
    ];
    expect(balanceAfter(...past)).toMatchObject({ held: '32500004', captured: '0', openHolds: { 45: '3' } });
    expect(
      balanceAfter(
        ...past,
        carrying('CreditsCaptured', 41, '12500000'),
        carrying('CreditsReleased', 42, '20000000'),
        carrying('CreditsCaptured', 44, '7', 'partner:7'),
        carrying('CreditsCaptured', 45, '3'),
      ),
    ).toMatchObject({ held: '1', captured: '12500003', openHolds: {} });
  });

  it('leave out credits that a partner pays, also after a change of mode', () => {
    const balance = balanceAfter(
      partnerBilled,
      heldEarlier(41, '10000000', { payer: 'partner:7' }),
      selfBilled,
      endedEarlier('CreditsCaptured', 41),
    );
    expect(balance).toMatchObject({ billing: 'self', held: '0', captured: '0', openHolds: {} });
  });
});
