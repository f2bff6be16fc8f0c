import {
  IN_FRANCE,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, postNames } from '#test/support/signal-runs.js';

const POSTS = ['1-oldest', '2', '3', '4', '5-newest'];
describe('the cost of signal runs', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme'),
      observedPerson('fits', { ...IN_FRANCE, ...employed('acme', 'VP Sales') }),
      observedPerson('differs', { ...IN_FRANCE, ...employed('acme', 'Office Manager') }),
      // ingested in another order than they were published
      ...[4, 1, 3, 0, 2].map((index) =>
        observedPost(POSTS[index] ?? '', 'fits', 'a crm', `2026-05-0${index + 1}T09:00:00Z`),
      ),
      observedPost('erp-fits', 'fits', 'an erp', '2026-05-02T09:00:00Z'),
      observedPost('erp-differs', 'differs', 'an erp', '2026-05-01T09:00:00Z'),
      observedPost('erp-differs-later', 'differs', 'an erp', '2026-05-03T09:00:00Z'),
    ],
  });

  const withPersona = async (options: object = {}): Promise<SceneWorkspace> => {
    const workspace = await service.workspace(options);
    await workspace.persona({ job_title: ['VP Sales'], location: ['France'] });
    return workspace;
  };
  const erpSetup = (workspace: SceneWorkspace, parameters: object = {}): Promise<number> =>
    workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['erp'], ...parameters });
  const spent = async (workspace: SceneWorkspace): Promise<readonly [string, string, number][]> =>
    (await workspace.movements()).map(({ status, product, credits }) => [status, product, credits]);
  const ledgerIsClean = async (workspace: SceneWorkspace): Promise<void> => {
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
  };

  it('RUN-18 RUN-26 INV-02 STM-11 is ten credits for each match of a keyword agent, captured when it ends', async () => {
    const workspace = await service.workspace();
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({
      stage: 'completed',
      matches_found: 5,
      matches_dropped: 0,
      credits_spent: 50,
      completed_at: '2026-06-01T10:00:00.000Z',
    });
    const movements = await workspace.movements();
    expect(
      movements.map(({ status, product, credits, signal_template_key }) => [
        status,
        product,
        credits,
        signal_template_key,
      ]),
    ).toEqual(POSTS.map(() => ['captured', 'keyword_match', 10, null]));
    const detections = await workspace.detections();
    expect(postNames(detections)).toEqual(POSTS);
    expect(movements.reduce((sum, { credits }) => sum + credits, 0)).toBe(detections.length * 10);
    expect(await workspace.balance()).toMatchObject({ granted: 1000, balance: 950, held: 0, captured: 50 });
    await ledgerIsClean(workspace);
  });

  it('LED-02 OPS-21 is charged although an operator used the keys of its charges', async () => {
    const workspace = await service.workspace();
    const { id: workspace_id } = workspace;
    await workspace.run(await keywordAgent(workspace, 'crm'));
    type Row = { readonly kind: string; readonly key: string };
    const chargeRows = async (): Promise<readonly Row[]> => {
      const { rows } = (await service.ops('ledger.statement', { workspace_id })).body;
      return rows.filter(({ kind }: Row) => kind === 'capture');
    };
    const launchId = Number(/^launch:(\d+):/.exec((await chargeRows())[0]?.key ?? '')?.[1]) + 1;
    const hold = { workspace_id, credits: 10, product: 'keyword_match' };
    const keys = POSTS.map((post) => `launch:${launchId}:post:post:${post}`);
    for (const key of keys.slice(0, 3)) await service.command('credits.hold', { ...hold, key });
    await service.command('credits.hold', { ...hold, key: keys[3], credits: 7 });
    await service.command('credits.capture', { workspace_id, key: keys[0] });
    await service.command('credits.release', { workspace_id, key: keys[1] });
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({
      stage: 'completed',
      matches_found: 5,
      matches_dropped: 0,
      credits_spent: 50,
    });
    const captured = (await chargeRows())
      .map(({ key }) => key)
      .filter((key) => key.startsWith(`launch:${launchId}:`));
    expect(captured).toEqual([keys[0], ...keys.map((key, index) => (index === 4 ? key : `${key}#1`))]);
    expect(await workspace.balance()).toMatchObject({ balance: 1000 - 50 - 10 - 50 - 17, held: 17 });
    await ledgerIsClean(workspace);
  });

  it('RUN-19 USE-17 USE-18 is the discovery price of the template for a signal of a setup', async () => {
    for (const [credits, product] of [
      [10, 'discovery_essential'],
      [20, 'discovery_standard'],
      [40, 'discovery_advanced'],
      ['12.345678', 'discovery_custom'],
    ] as const) {
      await service.command('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits });
      const workspace = await withPersona();
      await workspace.run(await erpSetup(workspace));
      const [movement, ...others] = await workspace.movements();
      expect(others).toEqual([]);
      expect(movement).toMatchObject({
        status: 'captured',
        product,
        credits: Number(credits),
        signal_template_key: KEYWORD_TEMPLATE,
      });
      expect((await workspace.balance()).balance).toBe(1000 - Number(credits));
    }
    await service.command('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits: 10 });
  });

  it('RUN-21 RUN-22 the one match that the balance covers is kept', async () => {
    const workspace = await service.workspace({ credits: 10 });
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({ stage: 'completed_partial', matches_found: 1, matches_dropped: 4 });
    expect(postNames(await workspace.detections())).toEqual(['1-oldest']);
    expect(await workspace.balance()).toMatchObject({ balance: 0, held: 0, captured: 10 });
  });

  it('RUN-22 INV-01 the oldest three of five are kept if the balance ends there, and it never becomes negative', async () => {
    const workspace = await service.workspace({ credits: '39.999999' });
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({
      stage: 'completed_partial',
      matches_found: 3,
      matches_dropped: 2,
      credits_spent: 30,
    });
    expect(postNames(await workspace.detections())).toEqual(['1-oldest', '2', '3']);
    expect(await spent(workspace)).toEqual(
      Array.from({ length: 3 }, () => ['captured', 'keyword_match', 10]),
    );
    expect(await workspace.balance()).toMatchObject({ balance: 9.999999, held: 0, captured: 30 });
    await ledgerIsClean(workspace);
  });

  it('RUN-17 RUN-22 dropped matches are found once there are credits, and nothing is charged twice', async () => {
    const workspace = await service.workspace({ credits: 30 });
    const agentId = await keywordAgent(workspace, 'crm');
    await workspace.run(agentId);
    await workspace.command('credits.grant', { credits: 100, reason: 'top-up' });
    const second = await workspace.run(agentId);
    expect(second).toMatchObject({
      stage: 'completed',
      matches_found: 2,
      matches_dropped: 0,
      credits_spent: 20,
    });
    expect(postNames(await workspace.detections())).toEqual(POSTS);
    expect((await workspace.balance()).captured).toBe(50);
  });

  it('RUN-17 INV-03 a relaunch starts a new run that finds and charges nothing again', async () => {
    const workspace = await service.workspace();
    const agentId = await keywordAgent(workspace, 'crm');
    const first = await workspace.run(agentId);
    const before = [await workspace.detections(), await workspace.movements()];
    // a later revision of a post is the same post
    await service.ingest([
      { ...observedPost('2', 'fits', 'a crm, edited: crm', '2026-05-02T09:00:00Z'), rev: 2 },
    ]);
    const second = await workspace.run(agentId, { lookback_days: 180 });
    expect(second.signal_request_id).not.toBe(first.signal_request_id);
    expect(second).toMatchObject({
      stage: 'completed',
      matches_found: 0,
      matches_dropped: 0,
      credits_spent: 0,
    });
    expect([await workspace.detections(), await workspace.movements()]).toEqual(before);
    expect((await workspace.poll(first.signal_request_id)).body).toEqual(first);
  });

  it('INV-03 is separate for each agent: another agent with the same keywords finds and pays for the same posts', async () => {
    const workspace = await service.workspace();
    await workspace.run(await keywordAgent(workspace, 'crm'));
    await workspace.run(await keywordAgent(workspace, 'crm'));
    const detections = await workspace.detections();
    expect(detections).toHaveLength(10);
    const causes = new Set(detections.map((row) => `${row.agent_id} ${row.signal_type} ${row.source_url}`));
    expect(causes.size).toBe(10);
    expect((await workspace.balance()).captured).toBe(100);
  });

  it('RUN-23 OP-25 a workspace whose partner pays is neither refused nor cut short, at the partner’s rate', async () => {
    const workspace = await service.partnerWorkspace({ 'agent:keyword_post_search': 7 });
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({
      stage: 'completed',
      matches_found: 5,
      matches_dropped: 0,
      credits_spent: 35,
    });
    expect(await spent(workspace)).toEqual(POSTS.map(() => ['captured', 'keyword_match', 7]));
    expect(await workspace.balance()).toMatchObject({ balance: 0, held: 0, captured: 0, is_billed: true });
    await ledgerIsClean(workspace);
  });

  it('OP-25 is nothing in an exempt workspace, without movements and refusals', async () => {
    const workspace = await service.workspace({ billing: 'exempt', credits: undefined });
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    expect(run).toMatchObject({ stage: 'completed', matches_found: 5, matches_dropped: 0, credits_spent: 0 });
    expect(await workspace.movements()).toEqual([]);
    expect(await workspace.detections()).toHaveLength(5);
  });

  it('OP-19 SIG-47 INV-05 a signal that does not match the persona is kept, free, and shown in v2 only', async () => {
    const workspace = await withPersona();
    const setupId = await erpSetup(workspace);
    const run = await workspace.run(setupId);
    expect(run).toMatchObject({ stage: 'completed', matches_found: 3, credits_spent: 10 });
    expect(postNames(await workspace.detections())).toEqual(['erp-differs', 'erp-differs-later', 'erp-fits']);
    const v3 = await workspace.data('POST /api/v3/signals/query', { signal_setup_id: setupId });
    expect(postNames(v3)).toEqual(['erp-fits']);
    const stats = await workspace.data(`GET /api/v3/signal-setups/${setupId}/stats`);
    expect(stats).toMatchObject({ signals_found: v3.length, credits_spent: 10 });
    expect(stats.latest_signal.id).toBe(v3[0].id);
  });

  it('OP-19 OP-71 free signals are kept after the balance ran out', async () => {
    const workspace = await withPersona({ credits: 10 });
    await service.ingest([observedPost('erp-fits-first', 'fits', 'an erp', '2026-05-01T08:00:00Z')]);
    const run = await workspace.run(await erpSetup(workspace));
    expect(run).toMatchObject({
      stage: 'completed_partial',
      matches_found: 3,
      matches_dropped: 1,
      credits_spent: 10,
    });
    expect(postNames(await workspace.detections())).toEqual([
      'erp-differs',
      'erp-differs-later',
      'erp-fits-first',
    ]);
  });

  it('OP-24 a price of 0 needs no credits, and makes no movement', async () => {
    await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 0 });
    const workspace = await service.workspace({ credits: undefined });
    const run = await workspace.run(await keywordAgent(workspace, 'crm'));
    await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 10 });
    expect(run).toMatchObject({ stage: 'completed', matches_found: 5, credits_spent: 0 });
    expect(await workspace.movements()).toEqual([]);
  });

  it('OP-18 C-12 a setup whose template has no price for discovery is refused, not free', async () => {
    const workspace = await withPersona();
    const setupId = await erpSetup(workspace);
    await service.command('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits: null });
    const { body } = await service.refused(() => workspace.launch(setupId));
    await service.command('prices.set', { item: `discovery:${KEYWORD_TEMPLATE}`, credits: 10 });
    expect(body).toMatchObject({
      status: 400,
      detail: expect.stringContaining('This signal has no price for discovery yet'),
    });
  });

  it('INV-01 INV-02 BAL-02 the sum of parallel runs stays within the balance', async () => {
    const workspace = await service.workspace({ credits: 70 });
    const agents = await Promise.all(Array.from({ length: 4 }, () => keywordAgent(workspace, 'crm')));
    const launched = await Promise.all(agents.map((agentId) => workspace.launch(agentId)));
    expect(launched.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const seen: number[] = [];
    const watch = async (): Promise<boolean> => {
      const { balance, held, captured, granted } = await workspace.balance();
      seen.push(balance);
      expect(granted - held - captured).toBe(balance);
      const runs = await Promise.all(launched.map(({ body }) => workspace.poll(body[0].signal_request_id)));
      return runs.every(({ body }) => body.stage !== 'running');
    };
    while (!(await watch()));
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
    const runs = await Promise.all(launched.map(({ body }) => workspace.poll(body[0].signal_request_id)));
    const sum = (member: string): number => runs.reduce((total, { body }) => total + body[member], 0);
    expect([sum('matches_found'), sum('matches_dropped'), sum('credits_spent')]).toEqual([7, 13, 70]);
    expect(await workspace.detections()).toHaveLength(7);
    await service.drain();
    expect(await workspace.balance()).toMatchObject({ balance: 0, held: 0, captured: 70 });
    await ledgerIsClean(workspace);
  });

  it('STM-07 USE-22 a captured movement is never released, nor the other way round', async () => {
    const workspace = await service.workspace();
    await workspace.run(await keywordAgent(workspace, 'crm'));
    const before = await workspace.movements();
    const movement = { workspace_id: workspace.id, movement_id: before[0].id };
    expect((await service.ops('credits.release', movement)).status).toBe(409);
    expect((await service.ops('credits.capture', movement)).body).toMatchObject({ replayed: true });
    const held = { workspace_id: workspace.id, key: 'k', credits: 3, product: 'testing' };
    await service.command('credits.hold', held);
    await workspace.command('credits.release', { key: 'k' });
    expect((await service.ops('credits.capture', { workspace_id: workspace.id, key: 'k' })).status).toBe(409);
    const [released, ...rest] = await workspace.movements();
    expect(released).toMatchObject({ status: 'released', credits: 3 });
    expect(rest).toEqual(before);

    for (const [key, end, status] of [
      ['to-capture', 'credits.capture', 'captured'],
      ['to-release', 'credits.release', 'released'],
    ] as const) {
      await service.command('credits.hold', { ...held, key });
      const [open] = await workspace.movements();
      expect(open).toMatchObject({ status: 'held', credits: 3 });
      await service.advance('PT1H');
      await service.ops(end, { workspace_id: workspace.id, key });
      const [ended] = await workspace.movements();
      expect(ended).toEqual({ ...open, status });
    }
  });
});
