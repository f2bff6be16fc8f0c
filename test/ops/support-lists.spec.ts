import { keywordAgent, observedCompany, observedPost } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, launchRun, seeRunThrough, signalSetup } from '#test/support/signal-runs.js';
import { foundTopAccount } from '#test/support/top-accounts.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { TestWorkspace } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';

describe('OPS-28 lists for operators', () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      ...['1', '2'].map((name) => observedPost(name, 'ana', 'a crm', `2026-05-0${name}T09:00:00Z`)),
    ],
  });
  const workspace = sharedWorkspace(service, { name: 'First', trial_quota: 7 });
  let other: TestWorkspace;
  let agentId: number;
  let setupId: number;
  let partnerId: number;

  beforeAll(async () => {
    partnerId = (await service.ops('partner.create', { name: 'Payer' })).body.partner_id;
    await service.ops('partner.rate', { partner_id: partnerId, item: 'launch', credits: 3 });
    other = await service.workspace({
      name: 'Second',
      billing: 'partner',
      partner_id: partnerId,
      credits: undefined,
    });
    await service.ops('workspace.block', { workspace_id: other.id, reason: 'unpaid' });
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
    agentId = await keywordAgent(workspace, 'crm');
    setupId = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['erp'] });
    await workspace.call(`PATCH /api/v3/signal-setups/${setupId}`, { schedule: { cadence: 'weekly' } });
    await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Customers' });
    // No member can be found, so it counts and costs nothing.
    const accounts = [{ domain: 'nobody.invalid' }];
    await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
    await foundTopAccount(service, workspace, 'acme');
    await seeRunThrough(service, workspace, agentId);
    await service.service.host.runner.stop();
    await launchRun(workspace, agentId);
    const hold = { workspace_id: workspace.id, key: 'elsewhere', credits: '2.5', product: 'testing' };
    await service.ops('credits.hold', hold);
  });

  it('workspace.list shows each workspace with its spendable and held credits', async () => {
    const { workspaces, ...numbers } = await service.command('workspace.list');
    expect(numbers).toEqual({ page: 1, page_size: 25, page_count: 1, total: 2 });
    expect(workspaces).toEqual([
      {
        workspace_id: workspace.id,
        name: 'First',
        billing: 'self',
        partner_id: null,
        blocked: false,
        balance: 977.5,
        held: 2.5,
        runs_out_on: null,
        alerts: [],
      },
      {
        workspace_id: other.id,
        name: 'Second',
        billing: 'partner',
        partner_id: partnerId,
        blocked: true,
        balance: 0,
        held: 0,
        runs_out_on: null,
        alerts: ['blocked'],
      },
    ]);
    const ofPartner = await service.command('workspace.list', { partner_id: partnerId });
    expect(ofPartner).toMatchObject({ total: 1, workspaces: [{ workspace_id: other.id }] });
    const second = await service.command('workspace.list', { page: 2, page_size: 1 });
    expect(second).toMatchObject({ page: 2, page_count: 2, total: 2, workspaces: [{ name: 'Second' }] });
  });

  it('workspace.show shows balance, keys, counts of everything, and quota', async () => {
    expect(await service.command('workspace.show', { workspace_id: workspace.id })).toEqual({
      workspace_id: workspace.id,
      name: 'First',
      billing: 'self',
      partner_id: null,
      blocked: false,
      account_mapping: true,
      trial_quota: 7,
      top_accounts_accepted: 1,
      keys: 1,
      last_used_at: NOW,
      personas: 1,
      lists: 2,
      top_accounts: 1,
      agents: 1,
      setups: 1,
      runs_in_progress: 1,
      tal_id: workspace.talId,
      employee_list_id: workspace.employeeListId,
      balance: {
        balance: 977.5,
        held: 2.5,
        captured: 20,
        granted: 1000,
        is_billed: true,
        billing: 'self',
        updated_at: NOW,
      },
    });
    expect(await service.command('workspace.show', { workspace_id: other.id })).toMatchObject({
      name: 'Second',
      billing: 'partner',
      partner_id: partnerId,
      blocked: true,
      trial_quota: null,
      last_used_at: null,
    });
  });

  it('prices.list shows every list price and who set it', async () => {
    await service.ops('prices.set', { item: 'launch', credits: 2 });
    const { prices, total } = await service.command('prices.list', { page_size: 100 });
    expect(prices).toHaveLength(total);
    const items = prices.map(({ item }: { readonly item: string }) => item);
    expect(items).toEqual([...new Set(items)].sort());
    expect(prices).toContainEqual({ item: 'launch', credits: 2, set_by: 'operator' });
    expect(prices).toContainEqual({ item: 'bucket:standard', credits: 12.5, set_by: 'catalogue' });
    expect(prices).toContainEqual({ item: 'agent:competitor', credits: 10, set_by: 'catalogue' });
    const [, second] = prices;
    expect((await service.command('prices.list', { page: 2, page_size: 1 })).prices).toEqual([second]);
  });

  it('partner.list shows the rates of each partner and how many workspaces it pays for', async () => {
    expect(await service.command('partner.list')).toEqual({
      page: 1,
      page_size: 25,
      page_count: 1,
      total: 1,
      partners: [{ partner_id: partnerId, name: 'Payer', workspaces: 1, rates: { launch: 3 } }],
    });
  });

  it('agent.list, setup.list and run.list show the objects of a workspace, and none of another', async () => {
    const own = { workspace_id: workspace.id };
    expect(await service.command('agent.list', own)).toMatchObject({
      total: 1,
      agents: [
        { agent_id: agentId, type: 'keyword_post_search', enabled: true, weekly: false, list_id: null },
      ],
    });
    expect(await service.command('setup.list', own)).toMatchObject({
      total: 1,
      setups: [{ setup_id: setupId, template_key: KEYWORD_TEMPLATE, enabled: true, weekly: true }],
    });
    const { runs, total } = await service.command('run.list', own);
    expect(total).toBe(2);
    expect(runs).toMatchObject([
      { agent_id: agentId, stage: 'running', trigger: 'manual', completed_at: null },
      { agent_id: agentId, stage: 'completed', found: 2, dropped: 0, credits_spent: 20 },
    ]);
    const running = await service.command('run.list', { ...own, stage: 'running', agent_id: agentId });
    expect(running).toMatchObject({ total: 1, runs: [runs[0]] });
    expect((await service.command('run.list', { ...own, trigger: 'schedule' })).total).toBe(0);
    for (const command of ['agent.list', 'setup.list', 'run.list'])
      expect((await service.command(command, { workspace_id: other.id })).total).toBe(0);
  });

  it('refuses an unknown workspace and an invalid page, and records nothing', async () => {
    const added = await service.eventsOf(async () => {
      for (const command of ['workspace.show', 'agent.list', 'setup.list', 'run.list', 'apikey.list']) {
        const { status } = await service.ops(command, { workspace_id: 999_999 });
        expect([command, status]).toEqual([command, 404]);
      }
      for (const command of ['workspace.list', 'prices.list', 'partner.list']) {
        for (const wrong of [{ page: 0 }, { page_size: 101 }, { page_size: 'x' }]) {
          const { status, body } = await service.ops(command, wrong);
          expect([command, status, Object.keys(body.errors)]).toEqual([command, 422, Object.keys(wrong)]);
        }
      }
    });
    expect(added).toEqual([]);
  });
});
