import type { CreditEvent, Payer } from '#ledger/domain/credits.events.js';
import { foldAll } from '#kernel/testing/project.js';
import {
  adjustmentOf,
  endedEarlier,
  grantOf,
  heldEarlier,
  partnerBilled,
  selfBilled,
  withdrawalOf,
} from '#ledger/testing/sample-entries.js';
import { availableCredits, creditBalances, expiringAfter, overBy } from './credit-balances.projection.js';

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
    expect(balanceAfter(...past)?.openHolds).toEqual({ 45: '3' });
    const ended = balanceAfter(
      ...past,
      carrying('CreditsCaptured', 41, '12500000'),
      carrying('CreditsReleased', 42, '20000000'),
      carrying('CreditsCaptured', 44, '7', 'partner:7'),
      carrying('CreditsCaptured', 45, '3'),
    );
    expect(ended).toMatchObject({ held: '1', captured: '12500003' });
    expect(ended?.openHolds).toEqual({});
  });

  it('leave out credits that a partner pays, also after a change of mode', () => {
    const balance = balanceAfter(
      partnerBilled,
      heldEarlier(41, '10000000', { payer: 'partner:7' }),
      selfBilled,
      endedEarlier('CreditsCaptured', 41),
    );
    expect(balance).toMatchObject({ billing: 'self', held: '0', captured: '0' });
    expect(balance?.openHolds).toEqual({});
  });

  describe('LOT-02 LOT-07 of a ledger with lots', () => {
    const [MARCH, APRIL] = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];
    const lot = (movementId: number, credits: string, expiresAt?: string): CreditEvent => ({
      type: 'LotGranted',
      data: {
        movementId,
        credits,
        reason: '',
        priority: 50,
        promotional: false,
        ...(expiresAt && { expiresAt }),
      },
    });
    const from = (credits: string, expiresAt = MARCH) => ({ lots: [{ lot: 2, credits, expiresAt }] });
    const past = [selfBilled, grantOf(1, '100'), lot(3, '40', APRIL), lot(2, '30', MARCH), lot(4, '5')];
    const shown = (...events: readonly CreditEvent[]) => {
      const balance = balanceAfter(...past, ...events);
      if (balance === undefined) throw new Error('the workspace has a balance');
      const { expiring, expiresNext, expired } = balance;
      return { expiring: Object.entries(expiring ?? {}), expiresNext, expired };
    };

    it('keep the free credits of lots by expiry, soonest first, and what has expired', () => {
      expect(balanceAfter(...past)).toMatchObject({ granted: '175', expired: '0' });
      expect(shown()).toEqual({
        expiring: [
          [MARCH, '30'],
          [APRIL, '40'],
        ],
        expiresNext: MARCH,
        expired: '0',
      });
      const expiry: CreditEvent = {
        type: 'LotExpired',
        data: { movementId: 2, credits: '30', expiresAt: MARCH },
      };
      expect(balanceAfter(...past, expiry)).toMatchObject({ granted: '145', expired: '30' });
      expect(shown(expiry)).toEqual({ expiring: [[APRIL, '40']], expiresNext: APRIL, expired: '30' });
      expect(shown(lot(6, '7', MARCH)).expiring[0]).toEqual([MARCH, '37']);
      expect(balanceAfter(selfBilled, grantOf(1, '100'))).not.toHaveProperty('expiring');
    });

    it('take what is held, withdrawn or adjusted out of its lot, and put back what is released', () => {
      const use = heldEarlier(41, '12', { ...from('12'), endCarriesAmount: true });
      const released = endedEarlier('CreditsReleased', 41, {
        credits: '12',
        payer: 'workspace',
        ...from('12'),
      });
      const captured = endedEarlier('CreditsCaptured', 41, { credits: '12', payer: 'workspace' });
      for (const [events, left] of [
        [[use], '18'],
        [[use, captured], '18'],
        [[use, released], '30'],
        [[withdrawalOf(42, '12', from('12'))], '18'],
        [[adjustmentOf(42, '-12', from('12'))], '18'],
      ] as const)
        expect(shown(...events).expiring).toEqual([
          [MARCH, left],
          [APRIL, '40'],
        ]);
      for (const all of [withdrawalOf(42, '30', from('30')), adjustmentOf(42, '-30', from('30'))])
        expect(shown(all)).toMatchObject({ expiring: [[APRIL, '40']], expiresNext: APRIL });
      expect(
        shown(withdrawalOf(42, '30', from('30')), withdrawalOf(43, '40', from('40', APRIL))),
      ).toMatchObject({ expiring: [], expiresNext: null });
    });

    it('subtract what has expired without an entry, to the millisecond', () => {
      const balance = balanceAfter(
        ...past,
        heldEarlier(41, '20', { endCarriesAmount: true }),
        heldEarlier(42, '4', { endCarriesAmount: true }),
        endedEarlier('CreditsCaptured', 42, { credits: '4', payer: 'workspace' }),
      );
      if (balance === undefined) throw new Error('the workspace has a balance');
      const beforeMarch = '2026-02-28T23:59:59.999Z';
      expect([beforeMarch, MARCH, APRIL].map((at) => overBy(balance, at))).toEqual([0n, 30n, 70n]);
      expect([beforeMarch, MARCH, APRIL].map((at) => availableCredits(balance, new Date(at)))).toEqual([
        151n,
        121n,
        81n,
      ]);
      expect(expiringAfter(balance, beforeMarch)).toEqual([
        [MARCH, 30n],
        [APRIL, 40n],
      ]);
      expect(expiringAfter(balance, MARCH)).toEqual([[APRIL, 40n]]);
    });
  });
});
