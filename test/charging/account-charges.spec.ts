import { credits } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { holdCharges, type ChargeHost, type PaidWork } from '#ledger/charging/charges.js';
import { settleCharges, settleRequest } from '#ledger/charging/settle-charges.js';
import type { Billing } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { addCap } from '#ledger/domain/set-caps.js';
import { mapping, mapProfiles } from '#accounts/domain/mappings/mapping.js';
import {
  payForAccount,
  type AccountAnalysis,
  type AccountPayment,
} from '#accounts/mappings/account-charges.js';
import { profileCharge } from '#accounts/mappings/profile-charges.js';
import { sampleProfile } from '#projections/testing/sample-events.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';
import { workerBefore } from '../support/worker-before.js';

const PRICES = {
  account: { credits: credits(3), product: 'account_mapping' },
  profile: { credits: credits(1), product: 'profile_analysis' },
};
const DAY = '2026-03-01';
const PEOPLE = ['p:ana', 'p:bo'];
const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `p:${String(index).padStart(3, '0')}`);

describe('the cost of a top account’s mapping', () => {
  let house: SignalHouse;
  let commandsSent = 0;
  beforeAll(async () => {
    house = await openSignalHouse();
  });
  afterAll(() => house.close());

  /** A workspace with these credits, and one request for company 9. */
  async function funded(creditsGranted: number, billing: Billing = { mode: 'self' }) {
    const workspaceId = await house.workspace(billing, creditsGranted);
    const request = (requestId: number) => {
      const analysis: AccountAnalysis = {
        requestId,
        companyId: 9,
        personaId: null,
        keyId: null,
        requestDate: DAY,
        mappingId: requestId,
      };
      const attempt = (commandsSent += 1);
      const work: PaidWork = {
        workspaceId,
        context: (step) => ({
          commandId: `request-${requestId}:${attempt}:${step}`,
          actor: { kind: 'process', id: 'test' },
          workspaceId,
          correlationId: `request-${requestId}`,
        }),
      };
      return { analysis, work };
    };
    const pay = (
      requestId: number,
      people: readonly string[] = PEOPLE,
      host: ChargeHost = house.operator,
    ): Promise<AccountPayment> => {
      const { analysis, work } = request(requestId);
      return payForAccount(host, work, analysis, PRICES, people, 'any');
    };
    /** Each hold, `<key> <credits> <how it ended>`, in order; holds of one command together. */
    async function recorded() {
      const ends = new Map<unknown, string>();
      const held: { readonly movementId: unknown; readonly name: string; readonly commandId: unknown }[] = [];
      for await (const batch of house.events.readStream(`credits-${workspaceId}`))
        for (const { type, data, metadata } of batch) {
          const { movementId, key, credits: amount } = data;
          if (type === 'CreditsHeld')
            held.push({
              movementId,
              name: `${String(key)} ${Number(amount) / 1e6}`,
              commandId: metadata['commandId'],
            });
          if (type === 'CreditsCaptured') ends.set(movementId, 'captured');
          if (type === 'CreditsReleased') ends.set(movementId, 'released');
        }
      const commands = new Map<unknown, number>();
      for (const { commandId } of held) commands.set(commandId, (commands.get(commandId) ?? 0) + 1);
      return {
        keys: new Map(held.map(({ name, movementId }) => [name.split(' ')[0], Number(movementId)])),
        holds: held.map(({ movementId, name }) => `${name} ${ends.get(movementId) ?? 'held'}`),
        together: [...commands.values()],
      };
    }
    return { workspaceId, request, pay, recorded };
  }

  it('OP-52 is the account’s own credit and one per person, with keys of the request and of the day', async () => {
    const { pay, recorded } = await funded(5);
    expect(await pay(310)).toEqual({ movementId: expect.any(Number), attempt: 0 });
    expect((await recorded()).holds).toEqual([
      'account:310:0 3 held',
      'profile:9:2026-03-01:p:ana:0 1 held',
      'profile:9:2026-03-01:p:bo:0 1 held',
    ]);
  });

  it('OP-52 is held once, for any number of calls', async () => {
    const { pay, recorded } = await funded(10);
    const first = await pay(310);
    expect(await pay(310)).toEqual(first);
    expect((await recorded()).holds).toHaveLength(3);
  });

  it('OP-52 is all or nothing: if it is not covered nothing is held, and the missing amount is returned', async () => {
    const { pay, recorded } = await funded(4);
    expect(await pay(310)).toEqual({ required: credits(5), by: 'credits' });
    expect((await recorded()).holds).toEqual([]);
  });

  it('OP-53 CAP-03 may be refused by a cap although the balance covers it', async () => {
    const { workspaceId, pay, recorded } = await funded(100);
    const limit = credits(4);
    const cap = { capId: 1, scope: 'workspace', scopeId: null, period: 'month', limit } as const;
    await house.operator.commands.handle(creditAccount, String(workspaceId), addCap(cap, 'operator'), {
      context: {
        commandId: `cap:${workspaceId}`,
        actor: { kind: 'operator', id: 'test' },
        workspaceId,
        correlationId: 'cap',
      },
    });
    expect(await pay(310)).toEqual({ required: credits(5), by: 'cap' });
    expect((await recorded()).holds).toEqual([]);
  });

  it('OP-52 TAL-17 is all or nothing for more than a hundred people: a waiting account holds nothing', async () => {
    const { workspaceId, pay, recorded } = await funded(120);
    for (let tries = 0; tries < 3; tries += 1)
      expect(await pay(310, many(150))).toEqual({ required: credits(153), by: 'credits' });
    expect((await recorded()).holds).toEqual([]);
    await house.grant(workspaceId, 33);
    expect(await pay(310, many(150))).toEqual({ movementId: expect.any(Number), attempt: 0 });
    expect((await recorded()).together).toEqual([100, 51]);
  });

  it('OP-52 is held a hundred at a time, and released together if the credits for a later part are gone', async () => {
    const { workspaceId, pay, request, recorded } = await funded(153);
    const other = request(309);
    const spend = () =>
      holdCharges(
        house.operator,
        other.work,
        'hold',
        [{ key: 'other', credits: credits(40), product: 'signal', cause: { kind: 'operator' } }],
        'all',
      );
    const interrupted = workerBefore(house.operator, /:pay:hold-1:/, spend);
    expect(await pay(310, many(150), interrupted)).toEqual({ required: credits(153), by: 'credits' });
    const refused = await recorded();
    expect(refused.together).toEqual([100, 1]);
    expect(refused.holds.filter((hold) => hold.endsWith(' released'))).toHaveLength(100);
    await house.grant(workspaceId, 40);
    expect(await pay(310, many(150))).toEqual({ movementId: expect.any(Number), attempt: 1 });
    const paid = await recorded();
    expect(paid.together).toEqual([100, 1, 100, 51]);
    const open = paid.holds.filter((hold) => /^(account|profile).* held$/.test(hold));
    expect(open).toHaveLength(151);
    // Charges held before have their second attempt, the others their first.
    expect(open.filter((hold) => /:1 \d held$/.test(hold))).toHaveLength(100);
    expect(open.filter((hold) => /:0 \d held$/.test(hold))).toHaveLength(51);
  });

  it('TAL-17 is paid after any number of tries whose holds were released', async () => {
    const { pay, request, recorded } = await funded(5);
    const { analysis } = request(310);
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const { work } = request(310);
      const { held } = await holdCharges(
        house.operator,
        work,
        'hold',
        [profileCharge(analysis, PRICES.profile, 'p:ana', attempt)],
        'all',
      );
      const release = held.map((movementId) => ({ movementId }));
      await settleCharges(house.operator, work, 'release', { capture: [], release });
    }
    expect(await pay(310)).toMatchObject({ attempt: 0 });
    expect((await recorded()).holds.slice(60)).toEqual([
      'account:310:0 3 held',
      'profile:9:2026-03-01:p:ana:60 1 held',
      'profile:9:2026-03-01:p:bo:0 1 held',
    ]);
  });

  it('OP-59 excludes people who were analysed for the company on this day', async () => {
    const { request, pay, recorded } = await funded(5);
    const other = request(309);
    const ana = profileCharge(other.analysis, PRICES.profile, 'p:ana', 0);
    const { held } = await holdCharges(house.operator, other.work, 'hold', [ana], 'all');
    await settleCharges(house.operator, other.work, 'capture', { capture: held });
    expect(await pay(310, [...PEOPLE, 'p:cy'])).toEqual({ required: credits(5), by: 'credits' });
    expect(await pay(310)).toMatchObject({ attempt: 0 });
    expect((await recorded()).holds).toEqual([
      'profile:9:2026-03-01:p:ana:0 1 captured',
      'account:310:0 3 held',
      'profile:9:2026-03-01:p:bo:0 1 held',
    ]);
  });

  it('OP-59 includes a capture of another request’s hold for a person, before anything is recorded with it', async () => {
    const { request, pay, recorded } = await funded(5);
    const other = request(309);
    const ana = profileCharge(other.analysis, PRICES.profile, 'p:ana', 0);
    await holdCharges(house.operator, other.work, 'hold', [ana], 'all');
    expect(await pay(310)).toMatchObject({ attempt: 0 });
    // When the other request fails it releases only its remaining holds.
    await settleRequest(house.operator, other.work, 309, new Set());
    expect((await recorded()).holds).toEqual([
      'profile:9:2026-03-01:p:ana:0 1 captured',
      'account:310:0 3 held',
      'profile:9:2026-03-01:p:bo:0 1 held',
    ]);
  });

  it('OP-24 OP-52 leaves another request’s hold alone while it waits for credits itself', async () => {
    const { workspaceId, request, pay, recorded } = await funded(4);
    const other = request(309);
    const ana = profileCharge(other.analysis, PRICES.profile, 'p:ana', 0);
    await holdCharges(house.operator, other.work, 'hold', [ana], 'all');
    expect(await pay(310)).toEqual({ required: credits(4), by: 'credits' });
    expect((await recorded()).holds).toEqual(['profile:9:2026-03-01:p:ana:0 1 held']);
    await settleRequest(house.operator, other.work, 309, new Set());
    await house.grant(workspaceId, 1);
    expect(await pay(310)).toMatchObject({ attempt: 0 });
    expect((await recorded()).holds).toEqual([
      'profile:9:2026-03-01:p:ana:0 1 released',
      'account:310:0 3 held',
      'profile:9:2026-03-01:p:ana:1 1 held',
      'profile:9:2026-03-01:p:bo:0 1 held',
    ]);
  });

  it('MAP-20 OP-59 is captured for a person whom an interrupted attempt recorded, though the rest waits for credits', async () => {
    const { workspaceId, request, pay, recorded } = await funded(5);
    const paid = await pay(310);
    const { analysis, work } = request(310);
    const { keys } = await recorded();
    const { mappingId, companyId, personaId, requestDate } = analysis;
    const about = { mappingId, companyId, personaId, requestDate };
    await house.decide(
      workspaceId,
      mapping,
      workspaceScoped(workspaceId, mappingId),
      mapProfiles(about, 310, [
        sampleProfile({
          personRef: 'p:ana',
          leadId: 1,
          movementId: keys.get(`profile:9:${DAY}:p:ana:0`) ?? 0,
        }),
      ]),
    );
    // An operator releases the account's own hold, and its credits are spent elsewhere.
    const own = 'movementId' in paid ? (paid.movementId ?? 0) : 0;
    await settleCharges(house.operator, work, 'operator', { capture: [], release: [{ movementId: own }] });
    const other = {
      key: 'other',
      credits: credits(3),
      product: 'signal',
      cause: { kind: 'operator' },
    } as const;
    await holdCharges(house.operator, request(309).work, 'hold', [other], 'all');
    expect(await pay(310)).toEqual({ required: credits(4), by: 'credits' });
    expect((await recorded()).holds).toEqual([
      'account:310:0 3 released',
      'profile:9:2026-03-01:p:ana:0 1 captured',
      'profile:9:2026-03-01:p:bo:0 1 released',
      'other 3 held',
    ]);
    await house.grant(workspaceId, 3);
    expect(await pay(310)).toMatchObject({ attempt: 1 });
  });

  it('OP-25 is nothing in an exempt workspace', async () => {
    const { pay, recorded } = await funded(0, { mode: 'exempt' });
    expect(await pay(310)).toEqual({ movementId: null, attempt: 0 });
    expect((await recorded()).holds).toEqual([]);
  });
});
