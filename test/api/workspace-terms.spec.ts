import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { scene } from '../support/scene.js';

const service = scene();

describe('workspace.features', () => {
  it('OPS-05 sets the named values that differ, and answers the current values', async () => {
    const { id } = await service.workspace();
    const set = (input: object) => service.ops('workspace.features', { workspace_id: id, ...input });
    expect((await set({ trial_quota: 50 })).body).toEqual({
      workspace_id: id,
      account_mapping: true,
      trial_quota: 50,
    });
    const types = await service.eventsOf(() => set({ account_mapping: false, trial_quota: 50 }));
    expect(types).toEqual(['WorkspaceFeatureSet', 'ChargesStopped']);
    expect((await set({ trial_quota: null })).body).toMatchObject({
      account_mapping: false,
      trial_quota: null,
    });
    const document = await service.service.host.readModels.get(workspaces, workspaceKey(id));
    expect(document).toMatchObject({ accountMapping: false, trialQuota: null });
  });

  it('refuses an empty change, a wrong quota and an unknown workspace, and writes nothing', async () => {
    const { id } = await service.workspace();
    const types = await service.eventsOf(async () => {
      const nothing = await service.ops('workspace.features', { workspace_id: id });
      expect([nothing.status, Object.keys(nothing.body.errors)]).toEqual([422, ['account_mapping']]);
      for (const trial_quota of [-1, 1.5, '5']) {
        const wrong = await service.ops('workspace.features', { workspace_id: id, trial_quota });
        expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['trial_quota']]);
      }
      expect((await service.ops('workspace.features', { workspace_id: 999, trial_quota: 1 })).status).toBe(
        404,
      );
    });
    expect(types).toEqual([]);
  });
});

describe('workspace.billing', () => {
  it('OPS-05 OP-25 changes the payer of new movements; an earlier hold keeps its payer', async () => {
    const { body: partner } = await service.ops('partner.create', { name: 'Nordic Resellers' });
    const { id } = await service.workspace({ credits: 100 });
    const hold = (key: string) =>
      service.ops('credits.hold', { workspace_id: id, key, credits: 30, product: 'p' });
    const billing = (input: object) => service.ops('workspace.billing', { workspace_id: id, ...input });
    await hold('own');
    const changed = await billing({ billing: 'partner', partner_id: partner.partner_id });
    expect(changed.body).toMatchObject({
      billing: 'partner',
      partner_id: partner.partner_id,
      balance: { balance: 70, held: 30, billing: 'partner', is_billed: true },
    });
    for (const key of ['theirs', 'more', 'and more', 'given back']) {
      expect((await hold(key)).body).toMatchObject({ status: 'held', balance: { balance: 70, held: 30 } });
    }
    await service.ops('credits.capture', { workspace_id: id, key: 'theirs' });
    const own = await service.ops('credits.capture', { workspace_id: id, key: 'own' });
    expect(own.body).toMatchObject({ status: 'captured', balance: { balance: 70, held: 0, captured: 30 } });
    expect((await billing({ billing: 'exempt' })).body).toMatchObject({
      partner_id: null,
      balance: { balance: 70, is_billed: false },
    });
    expect((await hold('free')).body).toMatchObject({ movement_id: null, status: 'exempt' });
    expect((await service.ops('credits.capture', { workspace_id: id, key: 'more' })).status).toBe(200);
    expect((await service.ops('credits.release', { workspace_id: id, key: 'given back' })).status).toBe(200);
    expect((await billing({ billing: 'self' })).body.balance).toMatchObject({ balance: 70, captured: 30 });
    const { body: statement } = await service.ops('ledger.statement', { workspace_id: id });
    expect(statement.totals.by_payer).toEqual({ [`partner:${partner.partner_id}`]: 60, workspace: 30 });
    expect((await service.ops('ledger.verify', { workspace_id: id })).body).toMatchObject({ ok: true });
  });

  it('changes nothing the second time, and refuses a partner that is missing, unknown or not expected', async () => {
    const { id } = await service.workspace();
    const billing = (input: object) => service.ops('workspace.billing', { workspace_id: id, ...input });
    const types = await service.eventsOf(async () => {
      expect((await billing({ billing: 'self' })).status).toBe(200);
      for (const [input, status] of [
        [{ billing: 'partner' }, 422],
        [{ billing: 'self', partner_id: 1 }, 422],
        [{ billing: 'partner', partner_id: 999 }, 404],
      ] as const) {
        const refused = await billing(input);
        expect([refused.status, Object.keys(refused.body.errors)]).toEqual([status, ['partner_id']]);
      }
      const unknown = await service.ops('workspace.billing', { workspace_id: 999, billing: 'exempt' });
      expect(unknown.status).toBe(404);
    });
    expect(types).toEqual([]);
  });
});

describe('amounts over the operator listener', () => {
  const WRONG: readonly (readonly [what: string, credits: unknown])[] = [
    ['more than six decimals', '1.0000001'],
    ['more than six decimals as a number', 0.0000015],
    ['negative', -1],
    ['zero', 0],
    ['NaN', 'NaN'],
    ['infinite', 'Infinity'],
    ['an exponent', '1e3'],
    ['an exponent as a number', '1e-7'],
    ['10^15 + 1 micro-credits', '1000000000.000001'],
    ['10^22', 1e22],
    ['white space', ' 1'],
    ['hexadecimal', '0x10'],
    ['a comma', '1,5'],
    ['nothing', ''],
    ['null', null],
    ['true', true],
    ['a list', [1]],
  ];
  for (const command of ['credits.grant', 'credits.withdraw', 'credits.adjust', 'credits.hold'] as const) {
    it(`${command} refuses every invalid amount, naming credits, and writes nothing`, async () => {
      const { id } = await service.workspace();
      const rest = command === 'credits.hold' ? { key: 'k', product: 'p' } : { reason: 'r' };
      const types = await service.eventsOf(async () => {
        for (const [what, credits] of WRONG) {
          if (command === 'credits.adjust' && what === 'negative') continue;
          const { status, body } = await service.ops(command, { workspace_id: id, credits, ...rest });
          expect([what, status, Object.keys(body.errors ?? {})]).toEqual([what, 422, ['credits']]);
        }
      });
      expect(types).toEqual([]);
    });
  }

  it('LED-05 are exact up to 10^15 micro-credits', async () => {
    const { id } = await service.workspace({ credits: '999999999.999999' });
    const grant = (credits: unknown) =>
      service.ops('credits.grant', { workspace_id: id, credits, reason: 'r' });
    const full = await grant('0.000001');
    expect(full.body.balance).toMatchObject({ balance: 1_000_000_000, granted: 1_000_000_000 });
    const over = await grant(0.000001);
    expect([over.status, Object.keys(over.body.errors)]).toEqual([422, ['credits']]);
    const hold = { workspace_id: id, key: 'k', credits: 999_999_999.999999, product: 'p' };
    const held = await service.ops('credits.hold', hold);
    expect(held.body.balance).toMatchObject({ balance: 0.000001, held: 999_999_999.999999 });
  });

  it('a used key with another amount names credits, an unknown workspace is 404', async () => {
    const { id } = await service.workspace();
    const hold = { workspace_id: id, key: 'k', credits: 1, product: 'p' };
    await service.ops('credits.hold', hold);
    const other = await service.ops('credits.hold', { ...hold, credits: 2 });
    expect([other.status, Object.keys(other.body.errors)]).toEqual([409, ['credits']]);
    const unknown = await service.ops('credits.hold', { ...hold, workspace_id: 999 });
    expect(unknown.status).toBe(404);
    const month = await service.ops('ledger.close_month', { workspace_id: id, month: '2999-01' });
    expect([month.status, Object.keys(month.body.errors)]).toEqual([409, ['month']]);
  });
});
