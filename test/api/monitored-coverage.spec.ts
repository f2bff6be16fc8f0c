import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, postNames } from '#test/support/signal-runs.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-06-01T10:00:00.000Z';
const TOP_ACCOUNT_TEMPLATE = 'keywords-in-top-account-posts';

describe('signals about monitored accounts', () => {
  // Each works for one company, and a persona for a VP in Japan matches all of them.
  const people = { ana: 'acme', gus: 'globex', ivy: 'initech' };
  const service = scene({
    at: START,
    settings: { MONITORING_PASS: 'on' },
    network: Object.entries(people).flatMap(([name, company]) => [
      observedCompany(company),
      observedPerson(name, { ...employed(company, 'VP Sales'), geo: { country: 'Japan' } }),
    ]),
  });

  /** Workspaces of finished tests are retired, so that they make no passes during later tests. */
  afterEach(() => service.retireAll());

  const persona = (workspace: SceneWorkspace, tag: string): Promise<number> =>
    workspace.persona({ job_title: ['VP'], location: ['Japan'], tag });
  const archive = (workspace: SceneWorkspace, persona_id: number, archived: boolean): Promise<Answer> =>
    service.ops('persona.archive', { workspace_id: workspace.id, persona_id, archived });

  /** Monitors a list of these accounts; the returned function stops it. */
  async function monitored(
    workspace: SceneWorkspace,
    handles: readonly string[],
    more: object = {},
  ): Promise<() => Promise<void>> {
    const list = await workspace.list('customer', handles, more);
    const set = async (buckets?: null): Promise<void> => {
      await workspace.monitor(list, buckets);
      await service.drain();
    };
    await set();
    return () => set(null);
  }

  type Pass = { readonly found: number; readonly spent: number };
  /** The daily passes of a setup or agent in order: what was found and paid, or why there was none. */
  async function passesOf(
    workspace: SceneWorkspace,
    id: number,
    category = 'setup',
  ): Promise<readonly (Pass | string)[]> {
    const passes: (Pass | string)[] = [];
    for (const { type, data } of await service.stream(`${category}-${workspace.id}_${id}`)) {
      if (type === 'MonitoringPassSkipped') passes.push(String(data['reason']));
      if (type !== 'RunEnded') continue;
      const { body } = await workspace.poll(data['runId']);
      if (body.trigger !== 'monitoring') continue;
      passes.push({ found: body.matches_found, spent: body.credits_spent });
    }
    return passes;
  }
  const free = (found: number): Pass => ({ found, spent: 0 });
  const products = async (workspace: SceneWorkspace): Promise<readonly unknown[]> =>
    (await workspace.movements()).map(({ product, credits }) => [product, credits]);

  it('D-30 D-16 MON-53 MON-55 are free and of top priority while the month is paid, none while it is not, and continue after a top-up', async () => {
    const workspace = await service.workspace({ credits: 5 });
    await persona(workspace, 'one');
    await monitored(workspace, ['acme']);
    await service.setClock('2026-06-29T12:00:00.000Z');
    const id = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['alpaca'] });
    const inTime = await service.post('ana', 'About alpaca');
    await service.post('gus', 'About alpaca');
    await service.advance('P1D');
    expect(await passesOf(workspace, id)).toEqual([free(1)]);
    // The v3 query shows only priority 1.
    const { body } = await workspace.call('POST /api/v3/signals/query', {});
    expect(body.data).toHaveLength(1);
    const late = await service.post('ana', 'About alpaca');
    await service.advance('P1D');
    expect(await passesOf(workspace, id)).toEqual([free(1), 'no-target-accounts']);
    await workspace.command('credits.grant', { credits: 5, reason: 'top-up' });
    await service.advance('P1D');
    expect(await passesOf(workspace, id)).toEqual([free(1), 'no-target-accounts', free(1)]);
    expect(postNames(await workspace.detections())).toEqual([inTime, late].sort());
    expect(await products(workspace)).toEqual(Array(2).fill(['account_monitoring', 5]));
  });

  it('SETUP-68 D-30 are not searched while the setup is disabled, and from a day after it is enabled again', async () => {
    const workspace = await service.workspace();
    await persona(workspace, 'one');
    const id = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['bongo'] });
    await monitored(workspace, ['acme']);
    const enable = (enabled: boolean): Promise<Answer> =>
      workspace.call(`PATCH /api/v3/signal-setups/${id}`, { enabled });
    await service.advance('P1D');
    expect(await passesOf(workspace, id)).toEqual([free(0)]);
    expect((await enable(false)).status).toBe(200);
    await service.post('ana', 'About bongo');
    await service.advance('P3D');
    expect(await passesOf(workspace, id)).toHaveLength(1);
    await service.advance('PT5H');
    expect((await enable(true)).status).toBe(200);
    await service.advance('PT23H59M59S');
    expect(await passesOf(workspace, id)).toHaveLength(1);
    await service.advance('PT1S');
    expect(await passesOf(workspace, id)).toEqual([free(0), free(1)]);
  });

  it('D-16 are free for setups of the business unit that pays, and charged to those of another', async () => {
    const workspace = await service.workspace();
    const first = await persona(workspace, 'first');
    const ofFirst = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['civet'] });
    const second = await persona(workspace, 'second');
    await archive(workspace, first, true);
    const ofSecond = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['civet'] });
    await archive(workspace, first, false);
    await monitored(workspace, ['acme'], { persona_ids: [second] });
    await service.post('ana', 'About civet');
    await service.post('gus', 'About civet');
    await service.advance('P1D');
    expect(await passesOf(workspace, ofFirst)).toEqual(['no-target-accounts']);
    expect(await passesOf(workspace, ofSecond)).toEqual([free(1)]);
    // By hand each reads the whole network: for the first both signals are charged, for the second one of them.
    expect(await workspace.run(ofFirst)).toMatchObject({
      matches_found: 2,
      credits_spent: 20,
    });
    expect(await workspace.run(ofSecond)).toMatchObject({
      matches_found: 1,
      credits_spent: 10,
    });
    await archive(workspace, second, true);
    await service.advance('P1D');
    expect((await passesOf(workspace, ofSecond)).at(-1)).toBe('no-target-accounts');
  });

  it('D-16 are as free at the end of a run as at its beginning, also if the persona is archived meanwhile', async () => {
    const workspace = await service.workspace();
    const unit = await persona(workspace, 'one');
    await monitored(workspace, ['acme']);
    const id = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['gecko'] });
    // More than two batches.
    for (let post = 0; post < 120; post += 1) await service.post('ana', 'About gecko');
    const { body } = await workspace.launch(id);
    await archive(workspace, unit, true);
    await service.drain();
    expect((await workspace.poll(body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed',
      matches_found: 120,
      credits_spent: 0,
    });
  });

  it('D-16 MON-56 continue after a stop until the paid month ends; an exempt workspace has no paid month', async () => {
    const paying = await service.workspace();
    const exempt = await service.workspace({ billing: 'exempt', credits: undefined });
    const scenes = await Promise.all(
      [paying, exempt].map(async (workspace) => {
        await persona(workspace, 'one');
        return { workspace, stop: await monitored(workspace, ['acme']) };
      }),
    );
    await service.advance('P25D');
    const keywords = { tracking_keywords: ['dingo'] };
    const ofPaying = await paying.setup(KEYWORD_TEMPLATE, keywords);
    const ofExempt = await exempt.setup(KEYWORD_TEMPLATE, keywords);
    await service.post('ana', 'About dingo');
    await service.advance('P1D');
    expect(await passesOf(paying, ofPaying)).toEqual([free(1)]);
    expect(await passesOf(exempt, ofExempt)).toEqual([free(1)]);
    for (const { stop } of scenes) await stop();
    await service.post('ana', 'About dingo');
    await service.advance('P1D');
    expect(await passesOf(paying, ofPaying)).toEqual([free(1), free(1)]);
    expect(await passesOf(exempt, ofExempt)).toEqual([free(1), 'no-target-accounts']);
    await service.advance('P5D');
    expect((await passesOf(paying, ofPaying)).at(-1)).toBe('no-target-accounts');
    expect(await products(paying)).toEqual([['account_monitoring', 5]]);
    expect(await products(exempt)).toEqual([]);
  });

  it('D-31 D-16 are charged for agents all the same: accounts are covered only for setups', async () => {
    const workspace = await service.workspace();
    await persona(workspace, 'one');
    const accounts = [{ domain: 'acme.com' }];
    await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
    await monitored(workspace, ['acme']);
    const id = await workspace.agent('keyword_detection', { parameters: { tracking_keywords: ['eland'] } });
    await service.post('ana', 'About eland');
    await service.advance('P1D');
    expect(await passesOf(workspace, id, 'agent')).toEqual([{ found: 1, spent: 10 }]);
  });

  it('D-32 OP-18 are all that a template without discovery finds: about covered top accounts, free', async () => {
    const workspace = await service.workspace();
    await persona(workspace, 'one');
    const accounts = ['acme', 'globex'].map((handle) => ({ domain: `${handle}.com` }));
    await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
    await service.drain();
    const id = await workspace.setup(TOP_ACCOUNT_TEMPLATE, { tracking_keywords: ['fossa'] });
    const refused = await workspace.launch(id);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(/account/i)]);
    const [covered] = [
      await service.post('ana', 'About fossa'),
      await service.post('gus', 'About fossa'),
      await service.post('ivy', 'About fossa'),
    ];
    // Of three accounts the first two are top accounts, and the first and the last are paid for.
    await monitored(workspace, ['acme', 'initech']);
    expect(await workspace.run(id)).toMatchObject({ matches_found: 1, credits_spent: 0 });
    expect(postNames(await workspace.detections())).toEqual([covered]);
    // Without the mapping of the top accounts only the months were charged, and no signal.
    const charged = (await workspace.movements()).map(({ product }): string => product);
    expect(charged.filter((product) => /^(discovery|account_monitoring)/.test(product))).toEqual(
      Array(2).fill('account_monitoring'),
    );
  });
});
