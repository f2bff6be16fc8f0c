import { observedCompany } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-03-15T10:00:00.000Z';
const HANDLES = ['acme', 'globex', 'initech'];

describe('the summary of monitoring, and its terms', () => {
  const service = scene({ at: START, network: HANDLES.map((handle) => observedCompany(handle)) });

  /**
   * Workspaces of finished tests are retired, so that their months are not renewed and retried during later tests.
   */
  afterEach(() => service.retireAll());
  const monitor = (workspace: SceneWorkspace, path: string, signal_buckets: unknown = ['essential']) =>
    workspace.call(`PUT /api/v3/${path}`, { signal_buckets });
  const summary = async (workspace: SceneWorkspace): Promise<Answer['body']> =>
    (await workspace.call('GET /api/v3/account-monitoring')).body;

  it('MON-01 MON-03 MON-08 is the price per account, business unit and month times the monitored ones, to the last digit', async () => {
    const { body } = await service.ops('partner.create', { name: 'Partner' });
    const { partner_id } = body;
    const rate = (credits: number): Promise<Answer> =>
      service.ops('partner.rate', { partner_id, item: 'bucket:essential', credits });
    await rate(1.25);
    const workspace = await service.workspace({ billing: 'partner', partner_id, credits: undefined });
    const [first, second] = [await workspace.persona(), await workspace.persona()];
    await workspace.monitor(await workspace.list('customer', HANDLES, { persona_ids: [first] }));
    await workspace.monitor(await workspace.list('customer', HANDLES.slice(1), { persona_ids: [second] }));
    const unit = (persona_id: number, monitored_count: number, monthly_cost_credits: number) => ({
      persona_id,
      monitored_count,
      not_covered_count: 0,
      monthly_cost_credits,
    });
    const whole = {
      is_billed: true,
      price_per_account_credits: 1.25,
      monitored_count: 5,
      not_covered_count: 0,
      not_covered_since: null,
      monthly_cost_credits: 6.25,
      renewal_shortfall_credits: 0,
      by_business_unit: [unit(first, 3, 3.75), unit(second, 2, 2.5)],
    };
    expect(await summary(workspace)).toEqual({ data: whole });
    const paid = async (): Promise<readonly number[]> =>
      (await workspace.movements()).map(({ credits }) => credits);
    expect(await paid()).toEqual(Array(5).fill(1.25));
    // The summary shows the price from now on; the ledger has what was paid.
    await rate(0.333333);
    expect(await summary(workspace)).toEqual({
      data: {
        ...whole,
        price_per_account_credits: 0.333333,
        monthly_cost_credits: 1.666665,
        by_business_unit: [unit(first, 3, 0.999999), unit(second, 2, 0.666666)],
      },
    });
    await service.setClock('2026-04-15T10:00:00.000Z');
    expect(await paid()).toEqual([...Array(5).fill(0.333333), ...Array(5).fill(1.25)]);
  });

  it('OP-25 OP-27 MON-02 an exempt workspace needs no price, and has none', async () => {
    const set = (credits: number | null): Promise<Answer> =>
      service.ops('prices.set', { item: 'bucket:essential', credits });
    await set(null);
    try {
      const workspace = await service.workspace({ billing: 'exempt', credits: undefined });
      const personaId = await workspace.persona();
      const { path } = await workspace.list('customer', ['acme']);
      expect((await monitor(workspace, path)).body.data.monitored_count).toBe(1);
      const free = {
        is_billed: false,
        price_per_account_credits: 0,
        monitored_count: 1,
        not_covered_count: 0,
        not_covered_since: null,
        monthly_cost_credits: 0,
        renewal_shortfall_credits: 0,
        by_business_unit: [
          { persona_id: personaId, monitored_count: 1, not_covered_count: 0, monthly_cost_credits: 0 },
        ],
      };
      expect((await summary(workspace)).data).toEqual(free);
      await set(5);
      expect((await summary(workspace)).data).toEqual(free);
      expect(await workspace.movements()).toEqual([]);
    } finally {
      await set(5);
    }
  });

  it('C-16 MON-60 a first month that cannot be paid is accepted, and not covered at once', async () => {
    const workspace = await service.workspace({ credits: 4.999999 });
    const personaId = await workspace.persona();
    await workspace.topAccounts('acme');
    const { path } = await workspace.list('customer', ['acme']);
    const now = service.now();
    const { status, body } = await monitor(workspace, path);
    expect([status, body.data.signal_buckets, body.data.monitored_count]).toEqual([200, ['essential'], 0]);
    expect((await summary(workspace)).data).toEqual({
      is_billed: true,
      price_per_account_credits: 5,
      monitored_count: 0,
      not_covered_count: 1,
      not_covered_since: now,
      monthly_cost_credits: 0,
      renewal_shortfall_credits: 1,
      by_business_unit: [
        { persona_id: personaId, monitored_count: 0, not_covered_count: 1, monthly_cost_credits: 0 },
      ],
    });
    const found = await workspace.call('GET /api/v3/top-account-list/accounts?monitoring_status=not_covered');
    expect(found.body.data.map(({ monitoring }: Answer['body']) => monitoring)).toEqual([
      { status: 'not_covered', covered_until: null, not_covered_since: now, not_covered_reason: 'credits' },
    ]);
    expect(await workspace.movements()).toEqual([]);
  });

  it('MON-07 MON-13 an archived business unit counts in no total, before its units are stopped too', async () => {
    const workspace = await service.workspace({ credits: 5 });
    const [first, second] = [await workspace.persona(), await workspace.persona()];
    const list = await workspace.list('customer', ['acme'], { persona_ids: [first] });
    await workspace.monitor(list);
    await workspace.call(`PUT /api/v2/${list.path}`, { persona_ids: [first, second] });
    await service.drain();
    expect((await summary(workspace)).data).toMatchObject({
      not_covered_count: 1,
      not_covered_since: service.now(),
    });
    await workspace.call(`PATCH /api/v2/personas/${second}`, { archived: true });
    const { monitored_count, not_covered_count, not_covered_since } = (await summary(workspace)).data;
    expect({ monitored_count, not_covered_count, not_covered_since }).toEqual({
      monitored_count: 1,
      not_covered_count: 0,
      not_covered_since: null,
    });
  });

  it('OP-27 MON-61 pays uncovered units before those that fall due at the same moment', async () => {
    const workspace = await service.workspace({ credits: 10 });
    await workspace.persona();
    await service.setClock('2026-05-01T10:00:00.000Z');
    await workspace.monitor(await workspace.list('customer', ['globex']));
    await service.setClock('2026-06-01T09:00:00.000Z');
    const hold = { workspace_id: workspace.id, key: 'k', credits: 5, product: 'x' };
    await service.command('credits.hold', hold);
    await workspace.monitor(await workspace.list('customer', ['initech']));
    expect((await summary(workspace)).data).toMatchObject({ monitored_count: 1, not_covered_count: 1 });
    // A release does not cause a retry: the unit is retried an hour after its start, when the other is due.
    await workspace.command('credits.release', { key: 'k' });
    await service.setClock('2026-06-01T10:00:00.000Z');
    expect((await summary(workspace)).data).toMatchObject({
      monitored_count: 1,
      not_covered_count: 1,
      not_covered_since: '2026-06-01T10:00:00.000Z',
    });
  });

  it('MON-56 a stop refunds nothing: the balance stays', async () => {
    const workspace = await service.workspace({ credits: 10 });
    await workspace.persona();
    const { path, memberIds } = await workspace.list('customer', ['acme', 'globex']);
    const balance = async (): Promise<Answer['body']> => {
      await service.drain();
      return workspace.balance();
    };
    await monitor(workspace, path);
    const paid = await balance();
    expect(paid).toMatchObject({ balance: 0, held: 0, captured: 10, granted: 10 });
    await workspace.call(`DELETE /api/v2/${path}/members/${memberIds[0]}`);
    expect(await balance()).toEqual(paid);
    await monitor(workspace, path, null);
    expect(await balance()).toEqual(paid);
  });

  it('C-5 signal_buckets are ["essential"] or null in all requests and answers; essential and none are words of the filter', async () => {
    const workspace = await service.workspace();
    await workspace.persona();
    const { path, memberIds } = await workspace.list('customer', ['acme', 'globex']);
    const [acme = 0, globex = 0] = memberIds;
    const member = (id: number): string => `/api/v3/${path}/members/${id}/signal-buckets`;
    for (const word of ['essential', 'none', [], {}, true]) {
      expect((await monitor(workspace, path, word)).status).toBe(422);
      expect((await workspace.call(`PATCH ${member(acme)}`, { signal_buckets: word })).status).toBe(422);
    }
    const shown: unknown[] = [];
    for (const sent of [['essential'], null]) {
      shown.push((await monitor(workspace, path, sent)).body.data.signal_buckets);
      shown.push((await workspace.call(`GET /api/v3/${path}`)).body.data.signal_buckets);
      shown.push((await workspace.call('GET /api/v3/lists')).body.data.at(-1).signal_buckets);
      const one = await workspace.call(`PATCH ${member(globex)}`, { signal_buckets: sent });
      shown.push(one.body.data.signal_buckets);
    }
    expect(shown).toEqual([...Array(4).fill(['essential']), ...Array(4).fill(null)]);
    await workspace.call(`PATCH ${member(acme)}`, { signal_buckets: ['essential'] });
    const filtered = async (filter: string): Promise<unknown> => {
      const { status, body } = await workspace.call(`GET /api/v3/${path}/members?signal_buckets=${filter}`);
      return status === 200 ? body.data.map((one: Answer['body']) => [one.id, one.signal_buckets]) : status;
    };
    expect(await filtered('essential')).toEqual([[acme, ['essential']]]);
    expect(await filtered('none')).toEqual([[globex, null]]);
    for (const no of ['null', '', encodeURIComponent('["essential"]')]) expect(await filtered(no)).toBe(400);
  });

  it('C-14 SUP-18 labels of v2 and buckets of v3 are unrelated', async () => {
    const workspace = await service.workspace();
    await workspace.persona();
    const { path, memberIds } = await workspace.list('customer', ['acme']);
    const label = `PATCH /api/v2/${path}/members/${memberIds[0]}/signal-bucket`;
    const labelled = async (): Promise<unknown> => {
      const [list, members] = await Promise.all(
        [path, `${path}/members`].map((of) => workspace.call(`GET /api/v3/${of}`)),
      );
      const [own] = members?.body.data ?? [];
      return [
        list?.body.data.default_signal_bucket,
        list?.body.data.signal_buckets,
        own.signal_bucket,
        own.signal_buckets,
      ];
    };
    for (const bucket of ['bucket_1', 'bucket_2', 'bucket_3']) {
      expect((await workspace.call(label, { signal_bucket: bucket })).status).toBe(200);
      expect(await labelled()).toEqual(['bucket_1', null, bucket, null]);
    }
    expect((await workspace.call(label, { signal_bucket: 'essential' })).status).toBe(422);
    await service.drain();
    expect(await workspace.movements()).toEqual([]);
    await monitor(workspace, path);
    expect(await labelled()).toEqual(['bucket_1', ['essential'], 'bucket_3', ['essential']]);
    expect((await workspace.call(label, { signal_bucket: 'bucket_2' })).status).toBe(200);
    expect(await labelled()).toEqual(['bucket_1', ['essential'], 'bucket_2', ['essential']]);
    expect(await workspace.movements()).toHaveLength(1);
  });
});
