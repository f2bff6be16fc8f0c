import { chargeInAdvance } from '#ledger/charging/charge-in-advance.js';
import {
  holdCharges,
  knownCharges,
  loadChargesMark,
  paidBefore,
  type Charge,
  type PaidWork,
} from '#ledger/charging/charges.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';
import { operatorCharge } from '#ledger/charging/operator.owner.js';
import type { Billing } from '#ledger/domain/books.js';
import { creditAccount, insufficientCredits } from '#ledger/domain/credit-account.js';
import { grant } from '#ledger/domain/post-credits.js';
import { capture, release } from '#ledger/domain/settle-credits.js';
import { credits } from '#kernel/values/credits.js';
import { operatorOf, sharedLedgerHost } from '../ops/ledger-host.js';
import { refusalOf } from '#test/support/event-stores.js';

const house = sharedLedgerHost();
let workspaces = 0;
/** Paid work in a new workspace. */
async function workOf(balance: number, billing: Billing = { mode: 'self' }): Promise<PaidWork> {
  const workspaceId = (workspaces += 1);
  await house.openWorkspace(workspaceId, billing);
  if (balance > 0) {
    const movementId = await house.ids.next('movement');
    const decision = grant({ movementId, credits: credits(balance), reason: 'test' });
    const options = { context: operatorOf(workspaceId) };
    await house.commands.handle(creditAccount, String(workspaceId), decision, options);
  }
  const context = (step: string) => ({ ...operatorOf(workspaceId), commandId: `${workspaceId}:${step}` });
  return { workspaceId, context };
}

const profiles = (...prices: readonly number[]): readonly Charge[] =>
  prices.map((price, index) => ({
    key: `profile:9:2026-07-01:p${index}:1`,
    credits: credits(price),
    product: 'profile_analysis',
    cause: { kind: 'profile', requestId: 31, companyId: 9, personaId: 4 },
  }));

/** The ledger's entries about charges: type and key of each. */
async function entries({ workspaceId }: PaidWork): Promise<readonly string[]> {
  return (await house.ledger(workspaceId)).flatMap(({ type, data }) =>
    typeof data['key'] === 'string' ? [`${type} ${data['key'].slice(-4)}`] : [],
  );
}

describe('work that is paid for', () => {
  it('gets the affordable prefix: nothing after the first item that is not covered, even if it would fit', async () => {
    const work = await workOf(5);
    const { paid, held, shortage } = await holdCharges(house, work, 'hold', profiles(2, 2, 2, 1), 'prefix');
    expect([...paid.keys()].map((key) => key.slice(-4))).toEqual(['p0:1', 'p1:1']);
    expect(held).toEqual([...paid.values()]);
    expect(shortage).toBe('credits');
    expect(await entries(work)).toEqual(['CreditsHeld p0:1', 'CreditsHeld p1:1']);
  });

  it('gets all or nothing when it asks for all, refused with 402', async () => {
    const work = await workOf(5);
    const refused = await refusalOf(holdCharges(house, work, 'first', profiles(2, 4), 'all'));
    expect(refused.declaration).toBe(insufficientCredits);
    expect(await entries(work)).toEqual([]);
    const { paid } = await holdCharges(house, work, 'second', profiles(2, 3), 'all');
    expect(paid.size).toBe(2);
  });

  it('is paid in advance with hold and capture in one append, and the same month is paid once', async () => {
    const work = await workOf(9);
    const months = [1, 2].map((persona): Charge => ({
      key: `monitoring:9:${persona}:2026-07`,
      credits: credits(5),
      product: 'account_monitoring',
      cause: {
        kind: 'monitoring',
        companyId: 9,
        personaId: persona,
        month: '2026-07',
        from: '2026-07-31T09:00:00.000Z',
        until: '2026-08-31T09:00:00.000Z',
        anchorDay: 31,
      },
    }));
    const wanted = months.map((charge) => ({ charge, paidAs: [charge.key] }));
    const mark = await loadChargesMark(house.commands, work.workspaceId);
    const first = await chargeInAdvance(house, work, 'months', wanted, mark);
    expect(first).toEqual(['paid', 'credits']);
    expect(await entries(work)).toEqual(['CreditsHeld 6-07', 'CreditsCaptured 6-07']);
    const [held] = (await house.ledger(work.workspaceId)).filter(({ type }) => type === 'CreditsHeld');
    expect(held?.data['cause']).toEqual(months[0]?.cause);
    // The same month again is the same movement.
    expect(await chargeInAdvance(house, work, 'again', wanted, mark)).toEqual(first);
    expect(await entries(work)).toHaveLength(2);
  });

  it('OPS-21 OPS-23 P14 is charged although an operator used its key, and once', async () => {
    for (const end of [null, 'capture', 'release'] as const) {
      const work = await workOf(20);
      const key = 'monitoring:9:4:2026-07';
      const hold = operatorCharge({ key, credits: credits(5), product: 'account_monitoring' });
      const { held } = await holdCharges(house, work, 'operator', [hold], 'all');
      if (end === 'capture') await settleCharges(house, work, 'end', { capture: held });
      if (end === 'release')
        await settleCharges(house, work, 'end', {
          capture: [],
          release: held.map((movementId) => ({ movementId })),
        });
      const cause = { ...hold.cause, kind: 'monitoring', companyId: 9, personaId: 4 } as const;
      const wanted = [{ charge: { ...hold, cause }, paidAs: ['monitoring:9:4:2026-06', key] }];
      for (const step of ['month', 'again']) {
        const mark = await loadChargesMark(house.commands, work.workspaceId);
        expect(await chargeInAdvance(house, work, step, wanted, mark)).toEqual(['paid']);
      }
      const months = (await house.ledger(work.workspaceId)).filter(
        ({ type, data }) => type === 'CreditsHeld' && data['key'] === `${key}#1`,
      );
      expect([end, months.length]).toEqual([end, 1]);
    }
  });

  it('OPS-21 LED-02 is charged although an operator used its key, whatever becomes of that hold, and once', async () => {
    for (const end of [null, 'capture', 'release'] as const) {
      for (const amount of [2, 3]) {
        const work = await workOf(20);
        const [wanted] = profiles(2);
        if (wanted === undefined) throw new Error('no charge');
        const { key } = wanted;
        const hold = operatorCharge({ key, credits: credits(amount), product: 'profile_analysis' });
        const { held } = await holdCharges(house, work, 'operator', [hold], 'all');
        const [operatorMovement] = held;
        // As the operator command does: an operator names any movement.
        if (end !== null) {
          const decision = end === 'capture' ? capture({ key }) : release({ key });
          await house.commands.handle(creditAccount, String(work.workspaceId), decision, {
            context: work.context('end'),
          });
        }
        expect(await knownCharges(house, work, [wanted])).toEqual(new Map());
        expect(await paidBefore(house, work, [key])).toEqual(new Map());
        const first = await holdCharges(house, work, 'hold', [wanted], 'prefix');
        const own = first.paid.get(key);
        expect([end, first.shortage, first.held]).toEqual([end, null, [own]]);
        expect(own).not.toBe(operatorMovement);
        const again = await holdCharges(house, work, 'again', [wanted], 'all');
        expect([again.paid.get(key), again.held]).toEqual([own, []]);
        expect(await paidBefore(house, work, [key])).toEqual(new Map([[key, own]]));
        await settleCharges(house, work, 'settle', { capture: [], release: [{ key }] });
        const released = (await house.ledger(work.workspaceId)).filter(
          ({ type }) => type === 'CreditsReleased',
        );
        expect(released.map(({ data }) => data['movementId'])).toEqual(
          end === 'release' ? [operatorMovement, own] : [own],
        );
      }
    }
  });

  it('OP-25 needs no movement if the workspace is exempt or the price is 0, and is not refused if a partner pays', async () => {
    const exempt = await workOf(0, { mode: 'exempt' });
    const free = await holdCharges(house, exempt, 'hold', profiles(2), 'all');
    expect([[...free.paid.values()], free.held, free.shortage]).toEqual([[null], [], null]);
    const gratis = await holdCharges(house, await workOf(0), 'hold', profiles(0), 'prefix');
    expect([[...gratis.paid.values()], gratis.shortage]).toEqual([[null], null]);
    const partner = await workOf(0, { mode: 'partner', partnerId: 7 });
    const { paid, shortage } = await holdCharges(house, partner, 'hold', profiles(2, 2), 'prefix');
    expect([paid.size, shortage]).toEqual([2, null]);
    const payers = (await house.ledger(partner.workspaceId)).map(({ data }) => data['payer']);
    expect(payers.filter((payer) => payer === 'partner:7')).toHaveLength(2);
  });

  it('ends the open holds and leaves charges that have ended; a released charge is no payment', async () => {
    const work = await workOf(9);
    const { paid } = await holdCharges(house, work, 'hold', profiles(1, 1, 1, 1), 'prefix');
    const [first = 0, second = 0, third = 0, fourth = 0] = [...paid.values()].map(Number);
    await settleCharges(house, work, 'early', { capture: [], release: [{ movementId: first }] });
    await settleCharges(house, work, 'end', {
      capture: [first, second],
      release: [{ movementId: second }, { movementId: third }, { key: 'profile:9:2026-07-01:p3:1' }],
      keep: new Set([second, fourth]),
    });
    expect((await entries(work)).slice(4)).toEqual([
      'CreditsReleased p0:1',
      'CreditsCaptured p1:1',
      'CreditsReleased p2:1',
    ]);
    const again = await holdCharges(house, work, 'again', profiles(1, 1, 1, 1), 'prefix');
    expect([...again.paid.values()]).toEqual([second, fourth]);
    expect([again.held, again.shortage]).toEqual([[], null]);
  });
});
