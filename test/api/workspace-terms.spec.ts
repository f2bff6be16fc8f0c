import { answered, refusal } from '#test/support/expected-answers.js';
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
    await service.expectEvents(['WorkspaceFeatureSet', 'ChargesStopped'], () =>
      set({ account_mapping: false, trial_quota: 50 }),
    );
    expect((await set({ trial_quota: null })).body).toMatchObject({
      account_mapping: false,
      trial_quota: null,
    });
    const document = await service.service.host.readModels.get(workspaces, workspaceKey(id));
    expect(document).toMatchObject({ accountMapping: false, trialQuota: null });
  });

  it('refuses an empty change, a wrong quota and an unknown workspace, and writes nothing', async () => {
    const { id } = await service.workspace();
    await service.expectEvents([], async () => {
      await refusal(422, service.ops('workspace.features', { workspace_id: id }), 'account_mapping');
      for (const trial_quota of [-1, 1.5, '5']) {
        await refusal(
          422,
          service.ops('workspace.features', { workspace_id: id, trial_quota }),
          'trial_quota',
        );
      }
      await answered(404, service.ops('workspace.features', { workspace_id: 999, trial_quota: 1 }));
    });
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
    await service.expectEvents([], async () => {
      expect((await billing({ billing: 'self' })).status).toBe(200);
      for (const [input, status] of [
        [{ billing: 'partner' }, 422],
        [{ billing: 'self', partner_id: 1 }, 422],
        [{ billing: 'partner', partner_id: 999 }, 404],
      ] as const) {
        await refusal(status, billing(input), 'partner_id');
      }
      await answered(404, service.ops('workspace.billing', { workspace_id: 999, billing: 'exempt' }));
    });
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
      await service.expectEvents([], async () => {
        for (const [what, credits] of WRONG) {
          if (command === 'credits.adjust' && what === 'negative') continue;
          await refusal(422, service.ops(command, { workspace_id: id, credits, ...rest }), 'credits');
        }
      });
    });
  }

  it('LED-05 are exact up to 10^15 micro-credits', async () => {
    const { id } = await service.workspace({ credits: '999999999.999999' });
    const grant = (credits: unknown) =>
      service.ops('credits.grant', { workspace_id: id, credits, reason: 'r' });
    const full = await grant('0.000001');
    expect(full.body.balance).toMatchObject({ balance: 1_000_000_000, granted: 1_000_000_000 });
    await refusal(422, grant(0.000001), 'credits');
    const hold = { workspace_id: id, key: 'k', credits: 999_999_999.999999, product: 'p' };
    const held = await service.ops('credits.hold', hold);
    expect(held.body.balance).toMatchObject({ balance: 0.000001, held: 999_999_999.999999 });
  });

  it('a used key with another amount names credits, an unknown workspace is 404', async () => {
    const { id } = await service.workspace();
    const hold = { workspace_id: id, key: 'k', credits: 1, product: 'p' };
    await service.ops('credits.hold', hold);
    await refusal(409, service.ops('credits.hold', { ...hold, credits: 2 }), 'credits');
    await answered(404, service.ops('credits.hold', { ...hold, workspace_id: 999 }));
    await refusal(409, service.ops('ledger.close_month', { workspace_id: id, month: '2999-01' }), 'month');
  });
});
