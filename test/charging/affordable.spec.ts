import { credits } from '#kernel/values/credits.js';
import { requireAffordable } from '#ledger/charging/affordable.js';
import { capReached } from '#ledger/domain/caps.js';
import { creditAccount, insufficientCredits } from '#ledger/domain/credit-account.js';
import { addCap } from '#ledger/domain/set-caps.js';
import { openSignalHouse } from '../support/signal-house.js';
import { errorOf } from '../support/event-stores.js';
import { shared } from '../support/late.js';

const house = shared('the house', () => openSignalHouse());
const EXPIRY = '2030-01-01T00:00:00.000Z';
const BEFORE = '2029-12-31T23:59:59.999Z';

const charge = (amount: number, keyId?: number) => ({
  credits: credits(amount),
  cause: { kind: 'enrichment' as const, ...(keyId === undefined ? {} : { keyId }) },
});

const asked = (workspaceId: number, charges: readonly ReturnType<typeof charge>[], now: string) =>
  requireAffordable(house.operator.commands, workspaceId, charges, now);

describe('whether charges would be held', () => {
  it('OP-36 they are refused together if the balance covers only some of them', async () => {
    const workspaceId = await house.workspace({ mode: 'self' }, 10);
    await asked(workspaceId, [charge(4), charge(6)], BEFORE);
    expect(await errorOf(asked(workspaceId, [charge(5), charge(6)], BEFORE))).toMatchObject({
      declaration: insufficientCredits,
      details: { members: { credits_required: 11, credits_available: 10, credits_held: 0 } },
    });
  });

  it('LOT-01 credits that have expired do not count, also before their end is recorded', async () => {
    const workspaceId = await house.workspace({ mode: 'self' }, 3);
    await house.grant(workspaceId, 10, EXPIRY);
    await asked(workspaceId, [charge(13)], BEFORE);
    await asked(workspaceId, [charge(3)], EXPIRY);
    expect(await errorOf(asked(workspaceId, [charge(13)], EXPIRY))).toMatchObject({
      details: { members: { credits_required: 13, credits_available: 3 } },
    });
  });

  it('CAP-03 they are refused by a cap that allows only some of them', async () => {
    const workspaceId = await house.workspace({ mode: 'self' }, 100);
    const cap = { capId: 1, scope: 'key', scopeId: 7, period: 'month', limit: credits(5) } as const;
    await house.decide(workspaceId, creditAccount, String(workspaceId), addCap(cap, 'operator'));
    await asked(workspaceId, [charge(2, 7), charge(3, 7), charge(50)], BEFORE);
    const refusal = await errorOf(asked(workspaceId, [charge(3, 7), charge(3, 7)], BEFORE));
    expect(refusal).toMatchObject({
      declaration: capReached,
      details: { members: { credits_required: 6, cap: { scope_id: 7, limit: 5 } } },
    });
  });

  it('OP-25 nothing is refused in an exempt workspace, and a free charge never', async () => {
    const exempt = await house.workspace({ mode: 'exempt' }, 0);
    await asked(exempt, [charge(9)], BEFORE);
    const empty = await house.workspace({ mode: 'self' }, 0);
    await asked(empty, [charge(0)], BEFORE);
  });
});
