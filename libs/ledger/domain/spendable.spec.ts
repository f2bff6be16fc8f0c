import { MAX_CREDITS, credits } from '#kernel/values/credits.js';
import { stateFrom } from '#kernel/testing/scenario.js';
import {
  endedEarlier,
  exempt,
  grantOf,
  heldEarlier,
  micros,
  partnerBilled,
  selfBilled,
} from '#ledger/testing/sample-entries.js';
import { creditAccount } from './credit-account.js';
import type { Cause, CreditEvent } from './credits.events.js';
import { spendable } from './spendable.js';

const MONDAY = '2026-03-02T09:00:00.000Z';
const TUESDAY = '2026-03-03T00:00:00.000Z';
const cause: Cause = { kind: 'signal', agentId: 17, keyId: 4 };

type CapData = Extract<CreditEvent, { type: 'CapSet' }>['data'];
const cap = (capId: number, limit: number, more: Partial<CapData> = {}) =>
  ({
    type: 'CapSet',
    data: { capId, scope: 'workspace', period: 'day', limit: micros(limit), setBy: 'workspace', ...more },
  }) as const;
const spendableAfter = (events: readonly CreditEvent[], at = MONDAY) => {
  const past = events.map((event) => ({ ...event, at: MONDAY }));
  const { caps, ...spendings } = spendable(stateFrom(creditAccount, past), cause, at);
  return { ...spendings, caps: caps.map(({ id }) => id) };
};
const use = (movementId: number, whole: number, more: object = {}) =>
  heldEarlier(movementId, micros(whole), { cause, endCarriesAmount: true, ...more });

describe('QUO-01 what charges with one cause may spend', () => {
  const funded = [selfBilled, grantOf(1, micros(100)), use(11, 20)];
  const own = { isOwn: true, balance: credits(80) };

  it('is the balance, without lots that expire by then', () => {
    expect(spendableAfter(funded)).toEqual({ ...own, credits: credits(80), by: 'balance', caps: [] });
    const lot: CreditEvent = {
      type: 'LotGranted',
      data: {
        movementId: 2,
        credits: micros(5),
        reason: 'gift',
        expiresAt: TUESDAY,
        priority: 50,
        promotional: false,
      },
    };
    expect(spendableAfter([...funded, lot]).balance).toBe(credits(85));
    expect(spendableAfter([...funded, lot], TUESDAY)).toMatchObject({ ...own, credits: credits(80) });
  });

  it('is the least rest under the caps that count them, if that is less than the balance', () => {
    const ofAgent = { scope: 'agent', scopeId: 17, period: 'month' } as const;
    const past = [...funded, cap(8, 60), cap(7, 50, ofAgent), cap(6, 1, { ...ofAgent, scopeId: 18 })];
    expect(spendableAfter(past)).toEqual({ ...own, credits: credits(30), by: 'cap', caps: [7, 8] });
    // The count of a day ends with it, that of a month goes on.
    const both = [...funded, cap(8, 45), cap(7, 60, ofAgent)];
    expect(spendableAfter(both)).toMatchObject({ credits: credits(25), by: 'cap' });
    expect(spendableAfter(both, TUESDAY)).toMatchObject({ credits: credits(40), by: 'cap' });
    expect(spendableAfter([...funded, cap(8, 100)])).toMatchObject({ credits: credits(80), by: 'balance' });
  });

  it('is nothing under a cap that was lowered below what was spent', () => {
    expect(spendableAfter([...funded, cap(8, 19)])).toEqual({ ...own, credits: 0n, by: 'cap', caps: [8] });
  });

  it('OP-25 is limited by caps and by the size of a number while a partner pays, whatever the balance', () => {
    const payer = { payer: 'partner:7' } as const;
    const past = [
      partnerBilled,
      use(11, 20, payer),
      use(12, 5, payer),
      endedEarlier('CreditsCaptured', 12, { credits: micros(5), ...payer }),
    ];
    const partner = { isOwn: false, balance: 0n };
    expect(spendableAfter(past)).toEqual({
      ...partner,
      credits: MAX_CREDITS - credits(25),
      by: 'balance',
      caps: [],
    });
    const capped = spendableAfter([partnerBilled, cap(8, 60), ...past.slice(1)]);
    expect(capped).toMatchObject({ ...partner, credits: credits(35), by: 'cap' });
  });

  it('OP-25 has no limit while nobody is billed', () => {
    const past = [...funded, cap(8, 60), exempt];
    expect(spendableAfter(past)).toEqual({
      isOwn: false,
      balance: credits(80),
      credits: null,
      by: 'balance',
      caps: [],
    });
  });
});
