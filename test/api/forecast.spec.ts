import { observedCompany } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

type Day = { readonly date: string; readonly balance: number } & { readonly [name: string]: number };

describe('GET /api/v3/credits/forecast', () => {
  const service = scene({ at: '2026-01-10T12:00:00.000Z', network: [observedCompany('acme')] });

  const forecast = async (workspace: SceneWorkspace): Promise<Answer['body']> => {
    const { status, body } = await workspace.call('GET /api/v3/credits/forecast');
    expect(status).toBe(200);
    return body.data;
  };
  const on = (data: { readonly days: readonly Day[] }, date: string): Day | undefined =>
    data.days.find((day) => day.date === date);
  async function spend(workspace_id: number, key: string, credits: number): Promise<void> {
    await service.command('credits.hold', { workspace_id, key, credits, product: 'p' });
    expect((await service.ops('credits.capture', { workspace_id, key })).status).toBe(200);
  }

  it('LOW-02 is flat over 90 days for a ledger without activity', async () => {
    const workspace = await service.workspace({ credits: 50 });
    const data = await forecast(workspace);
    expect(data).toMatchObject({ at: '2026-01-10T12:00:00.000Z', balance: 50, burn: 0, ends_on: null });
    expect(data.days).toHaveLength(90);
    expect(data.days.at(-1)).toEqual({
      date: '2026-04-09',
      used: 0,
      months: 0,
      granted: 0,
      expires: 0,
      balance: 50,
    });
  });

  it('LOW-02 LOT-08 includes use, expiry and recurring grants, and the day on which the balance ends', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const workspace_id = workspace.id;
    await service.command('credits.grant', {
      workspace_id,
      credits: 40,
      reason: 'welcome',
      expires_at: '2026-01-20',
      promotional: true,
    });
    await service.command('credits.recurring.add', {
      workspace_id,
      credits: 10,
      reason: 'monthly',
      every: 'month',
      from: '2026-02-01',
    });
    await spend(workspace_id, 'early', 14);
    const data = await forecast(workspace);
    // 14 in 7 days are 2 a day; a hold takes first from the credits that expire first.
    expect(data).toMatchObject({ balance: 126, burn: 2 });
    expect(on(data, '2026-01-10')).toMatchObject({ used: 1, balance: 125 });
    expect(on(data, '2026-01-20')).toMatchObject({ expires: 7, used: 2, balance: 98 });
    expect(on(data, '2026-02-01')).toMatchObject({ granted: 10, balance: 84 });
    expect(on(data, '2026-03-01')).toMatchObject({ granted: 10, balance: 38 });
    // 38 - 2 a day from 2 March on, and 10 more on 1 April: 18 days to nothing.
    expect(data.ends_on).toBe('2026-03-20');
    expect(on(data, '2026-03-20')).toMatchObject({ used: 2, balance: 0 });
  });

  it('LOW-02 includes the exact monitored months, which the burn excludes', async () => {
    const workspace = await service.workspace({ credits: 22 });
    await workspace.persona();
    await workspace.monitor(await workspace.list('customer', ['acme']));
    const data = await forecast(workspace);
    expect(data).toMatchObject({ balance: 17, burn: 0 });
    expect(data.days.filter((day: Day) => day['months'] !== 0)).toMatchObject([
      { date: '2026-02-10', months: 5, balance: 12 },
      { date: '2026-03-10', months: 5, balance: 7 },
    ]);
    const answer = await service.ops('monitoring.forecast', { workspace_id: workspace.id, months: 3 });
    expect(answer.body.days).toMatchObject([
      { date: '2026-02-10', credits_due: 5, balance_after: 12 },
      { date: '2026-03-10', credits_due: 5, balance_after: 7 },
    ]);
  });

  it('OPS-24 OPS-41 shows the balance at the end of each month, also after an expiry on a later day', async () => {
    const workspace = await service.workspace({ credits: 105 });
    await workspace.persona();
    await workspace.monitor(await workspace.list('customer', ['acme']));
    await service.command('credits.grant', {
      workspace_id: workspace.id,
      credits: 500,
      reason: 'campaign',
      expires_at: '2026-02-20',
      priority: 60,
    });
    const answer = await service.ops('monitoring.forecast', { workspace_id: workspace.id, months: 3 });
    expect(answer.body.months).toEqual([
      { month: '2026-02', credits_due: 5, balance_after: 95 },
      { month: '2026-03', credits_due: 5, balance_after: 90 },
    ]);
    expect(answer.body.days).toMatchObject([{ balance_after: 595 }, { balance_after: 90 }]);
  });

  it('LOW-02 the burn is the greater of the means of 7 and 28 days', async () => {
    const workspace = await service.workspace({ credits: 500 });
    await spend(workspace.id, 'a', 56);
    expect((await forecast(workspace)).burn).toBe(8);
    await service.setClock('2026-01-17T12:00:00.001Z');
    expect((await forecast(workspace)).burn).toBe(2);
    await spend(workspace.id, 'b', 28);
    expect((await forecast(workspace)).burn).toBe(4);
    await service.setClock('2026-02-14T12:00:00.002Z');
    expect((await forecast(workspace)).burn).toBe(0);
  });

  it('LOW-02 never ends if a partner pays, and writes nothing', async () => {
    const { body } = await service.ops('partner.create', { name: 'P' });
    const workspace = await service.workspace({ billing: 'partner', partner_id: body.partner_id });
    await spend(workspace.id, 'x', 30);
    await service.expectEvents([], async () => {
      expect(await forecast(workspace)).toMatchObject({ balance: 1_000, burn: 0, ends_on: null });
    });
  });
});
