import { credits } from '#kernel/values/credits.js';
import { stateFrom } from '#kernel/testing/scenario.js';
import {
  exempt,
  grantOf,
  heldEarlier,
  micros,
  partnerBilled,
  selfBilled,
} from '#ledger/testing/sample-entries.js';
import { chargesMark, creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent } from '#ledger/domain/credits.events.js';
import { ledgerOutlook } from './foresee-credits.js';

const day = (date: string): string => `2026-${date}T00:00:00.000Z`;
const [NOW, UNTIL] = [day('01-10'), day('01-13')];

type RuleData = Extract<CreditEvent, { type: 'RecurringGrantAdded' }>['data'];
const rule = (number: number, more: Partial<RuleData> = {}): CreditEvent => ({
  type: 'RecurringGrantAdded',
  data: {
    rule: number,
    credits: micros(10),
    reason: 'allowance',
    every: 'day',
    from: day('01-11'),
    priority: 40,
    promotional: true,
    ...more,
  },
});
const lotOf = (movementId: number, recurring?: { rule: number; due: string }): CreditEvent => ({
  type: 'LotGranted',
  data: {
    movementId,
    credits: micros(10),
    reason: 'allowance',
    expiresAt: day('03-01'),
    priority: 40,
    promotional: true,
    ...(recurring && { recurring }),
  },
});
const use = (movementId: number, lot: number, whole: number): CreditEvent =>
  heldEarlier(movementId, micros(whole), {
    endCarriesAmount: true,
    lots: [{ lot, credits: micros(whole), expiresAt: day('03-01') }],
  });

function outlookOf(...events: readonly CreditEvent[]) {
  const account = stateFrom(creditAccount, events);
  const commands = {
    load: async (_decider: unknown, _id: string, read: (state: typeof account) => unknown) => read(account),
  };
  return ledgerOutlook(commands as Parameters<typeof ledgerOutlook>[0], 1, NOW, UNTIL);
}

describe('LOW-02 what a ledger knows of the next days', () => {
  it('are the free credits of its lots, and of all other credit', async () => {
    const outlook = await outlookOf(selfBilled, grantOf(1, micros(100)), lotOf(2), use(11, 2, 4));
    const [lot, plain, ...others] = outlook.lots;
    expect(lot).toEqual({
      id: 2,
      expiresAt: day('03-01'),
      priority: 40,
      promotional: true,
      grantedAt: expect.any(String),
      free: credits(6),
    });
    expect(plain).toMatchObject({ expiresAt: null, priority: 50, promotional: false, free: credits(100) });
    expect([others, outlook.heldOfRule, outlook.grants]).toEqual([[], [], []]);
  });

  it('LOT-08 are the held credits of each recurring grant, which count for its ceiling', async () => {
    const events = [
      selfBilled,
      rule(1),
      rule(2),
      lotOf(2, { rule: 1, due: day('01-11') }),
      lotOf(3, { rule: 1, due: day('01-12') }),
      lotOf(4, { rule: 2, due: day('01-11') }),
      lotOf(5),
    ];
    const uses = [use(11, 2, 4), use(12, 3, 3), use(13, 4, 2), use(14, 5, 1)];
    const outlook = await outlookOf(...events, ...uses);
    expect(outlook.heldOfRule).toEqual([
      [1, credits(7)],
      [2, credits(2)],
    ]);
    expect(outlook.lots.map(({ rule: of }) => of)).toEqual([1, 1, 2, undefined, undefined]);
  });

  it('LOT-08 are its recurring grants: missed ones now, none that has expired already, none from the end on', async () => {
    const lifetime = { unit: 'day', count: 1 } as const;
    const missed = rule(1, { from: day('01-08'), until: day('01-12'), lifetime, ceiling: micros(15) });
    const { grants = [] } = await outlookOf(selfBilled, missed, rule(2));
    const terms = { priority: 40, promotional: true, id: Number.MAX_SAFE_INTEGER };
    const grantAt = (of: number, due: string, expiresAt: string | null, ceiling: bigint | null) => ({
      at: due,
      credits: credits(10),
      lot: { ...terms, expiresAt, grantedAt: due, rule: of },
      ceiling,
    });
    expect(grants).toEqual([
      grantAt(1, day('01-10'), day('01-11'), credits(15)),
      grantAt(1, day('01-11'), day('01-12'), credits(15)),
      grantAt(2, day('01-11'), null, null),
      grantAt(2, day('01-12'), null, null),
    ]);
    const late = await outlookOf(selfBilled, rule(1, { from: day('01-09'), until: day('01-10') }));
    expect(late.grants).toMatchObject([{ at: NOW, lot: { grantedAt: day('01-09') } }]);
  });

  it('is paid from the balance only if the workspace pays, and is known up to the last entry that may change it', async () => {
    for (const [billing, isPaid] of [
      [selfBilled, true],
      [partnerBilled, false],
      [exempt, false],
    ] as const)
      expect([billing, (await outlookOf(billing)).isPaid]).toEqual([billing, isPaid]);
    const events = [selfBilled, grantOf(1, micros(100)), heldEarlier(11, '1')];
    const { mark } = await outlookOf(...events);
    expect(mark).toBe(1n);
    expect(mark).toBe(chargesMark(stateFrom(creditAccount, events)));
  });
});
