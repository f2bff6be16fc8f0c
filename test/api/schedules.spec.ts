import { answered } from '#test/support/expected-answers.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import type { Answer } from '#test/support/service.js';

const START = '2026-06-01T10:00:00.000Z';

describe('weekly schedules', () => {
  const service = scene({ at: START });
  /** Workspaces of finished tests are retired, so that they have no work when later tests let time pass. */
  afterEach(() => service.retireAll());

  async function fresh(): Promise<SceneWorkspace> {
    const workspace = await service.workspace();
    await workspace.persona();
    return workspace;
  }
  const scheduledAgent = (workspace: SceneWorkspace, keyword = 'crm'): Promise<number> =>
    workspace.agent('keyword_post_search', {
      parameters: { tracking_keywords: [keyword] },
      schedule: { cadence: 'weekly' },
    });
  /** The events of one agent's or setup's stream, with the details of each tick. */
  async function history(
    workspace: SceneWorkspace,
    id: number,
    category = 'agent',
  ): Promise<readonly string[]> {
    const events = await service.stream(`${category}-${workspace.id}_${id}`);
    return events.map(({ type, data }) =>
      type === 'ScheduleTicked'
        ? `${String(data['dueAt'])} ${String(data['reason'] ?? data['outcome'])}`
        : type,
    );
  }
  const weekAfter = (moment: string, weeks: number): string =>
    new Date(Date.parse(moment) + weeks * 7 * 86_400_000).toISOString();

  it('OP-17 OP-18 run an agent every seven days, due time by due time', async () => {
    const workspace = await fresh();
    const anchor = service.now();
    const id = await scheduledAgent(workspace);
    await service.advance('P6DT23H59M59S');
    expect(await history(workspace, id)).toEqual(['AgentCreated', 'ScheduleSwitchedOn']);
    await service.advance('PT1S');
    const week = ['RunLaunched', `${weekAfter(anchor, 1)} launched`, 'RunEnded'];
    expect(await history(workspace, id)).toEqual(['AgentCreated', 'ScheduleSwitchedOn', ...week]);
    await service.advance('P15D');
    expect((await history(workspace, id)).slice(5)).toEqual([
      'RunLaunched',
      `${weekAfter(anchor, 2)} launched`,
      'RunEnded',
      'RunLaunched',
      `${weekAfter(anchor, 3)} launched`,
      'RunEnded',
    ]);
  });

  it('D-33 skip a launch that is too long to be recorded, which by hand is 400, and launch once it is shorter', async () => {
    const workspace = await fresh();
    const templates = await templateIdsOf(workspace);
    const note = (length: number) => [{ url: 'https://example.com', note: 'n'.repeat(length) }];
    const { id } = await workspace.data('POST /api/v3/signal-setups', {
      signal_template_id: templates.get('custom-research-question'),
      parameters: { question: 'Does it run SAP?', links: note(515_000) },
      schedule: { cadence: 'weekly' },
    });
    const anchor = service.now();
    expect(await workspace.launch(id)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching('too long to be recorded with a launch') },
    });
    await service.advance('P7D');
    const before = ['SignalSetupCreated', 'ScheduleSwitchedOn'];
    expect(await history(workspace, id, 'setup')).toEqual([
      ...before,
      `${weekAfter(anchor, 1)} launch-too-large`,
    ]);
    await workspace.data(`PATCH /api/v3/signal-setups/${id}`, {
      parameters: { links: note(100_000) },
    });
    await service.advance('P7D');
    expect((await history(workspace, id, 'setup')).slice(3)).toEqual([
      'SignalSetupChanged',
      'RunLaunched',
      `${weekAfter(anchor, 2)} launched`,
      'RunEnded',
    ]);
  });

  it('OP-71 D-04 look back three days beyond the previous run, a week at least, and record what launched them', async () => {
    const workspace = await fresh();
    const id = await scheduledAgent(workspace, 'numbat');
    await service.post('nobody', 'A numbat');
    const scheduledRun = async (): Promise<Answer['body']> => {
      const events = await service.stream(`agent-${workspace.id}_${id}`);
      const ended = events.findLast(({ type }) => type === 'RunEnded');
      return (await workspace.poll(ended?.data['runId'])).body;
    };
    await service.advance('P7D');
    expect(await scheduledRun()).toMatchObject({
      trigger: 'schedule',
      agent_id: id,
      lookback_days: 90,
      matches_found: 1,
      credits_spent: 10,
    });
    await service.advance('P6D');
    await workspace.run(id, { lookback_days: 1 });
    await service.advance('P1D');
    expect(await scheduledRun()).toMatchObject({ trigger: 'schedule', lookback_days: 7, matches_found: 0 });
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: false });
    await service.advance('P20D');
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: true });
    await service.advance('P1D');
    expect(await scheduledRun()).toMatchObject({ lookback_days: 24 });
  });

  it('SETUP-68 run a signal setup, and stop while it is disabled, without changing the anchor', async () => {
    const workspace = await fresh();
    const anchor = service.now();
    const id = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    const path = `PATCH /api/v3/signal-setups/${id}`;
    await workspace.call(path, { schedule: { cadence: 'weekly' }, enabled: false });
    await service.advance('P15D');
    expect(await history(workspace, id, 'setup')).toEqual([
      'SignalSetupCreated',
      'SignalSetupChanged',
      'ScheduleSwitchedOn',
    ]);
    await workspace.call(path, { enabled: true });
    await service.advance('P5D');
    expect(await history(workspace, id, 'setup')).toHaveLength(4);
    await service.advance('P1D');
    expect((await history(workspace, id, 'setup')).slice(4)).toEqual([
      'RunLaunched',
      `${weekAfter(anchor, 3)} launched`,
      'RunEnded',
    ]);
  });

  it('OP-17 AG-73 keep their anchor when they are sent again, and get a new one when switched off and on', async () => {
    const workspace = await fresh();
    const anchor = service.now();
    const id = await scheduledAgent(workspace);
    const put = (body: object): Promise<Answer> => workspace.call(`PUT /api/v2/agents/${id}`, body);
    await service.advance('P3D');
    await put({ schedule: { cadence: 'weekly' } });
    await service.advance('P4D');
    expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(anchor, 1)} launched`);
    await put({ schedule: null });
    await service.advance('P8D');
    expect((await history(workspace, id)).at(-1)).toBe('ScheduleSwitchedOff');
    const again = service.now();
    await put({ schedule: { cadence: 'weekly' } });
    await service.advance('P7D');
    expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(again, 1)} launched`);
  });

  it('OP-17 record what they skip: no credits, a blocked workspace; and nothing for a deleted agent', async () => {
    const poor = await service.workspace({ credits: 9 });
    const blocked = await fresh();
    const deleted = await fresh();
    const anchor = service.now();
    const ids = { poor: await scheduledAgent(poor), blocked: await scheduledAgent(blocked) };
    const gone = await scheduledAgent(deleted);
    await deleted.call(`DELETE /api/v2/agents/${gone}`);
    await blocked.command('workspace.block', { reason: 'unpaid' });
    await service.advance('P7D');
    expect((await history(poor, ids.poor)).slice(2)).toEqual([
      `${weekAfter(anchor, 1)} insufficient-credits`,
    ]);
    expect((await history(blocked, ids.blocked)).slice(2)).toEqual([
      `${weekAfter(anchor, 1)} workspace-blocked`,
    ]);
    expect(await history(deleted, gone)).toEqual(['AgentCreated', 'ScheduleSwitchedOn', 'AgentDeleted']);
    await poor.command('credits.grant', { credits: 1, reason: 'enough' });
    await service.advance('P7D');
    expect((await history(poor, ids.poor)).slice(3)).toEqual([
      'RunLaunched',
      `${weekAfter(anchor, 2)} launched`,
      'RunEnded',
    ]);
  });

  describe('QUO-02 with a limit of each launch', () => {
    const weekly = (max_credits?: number | null) => ({
      schedule: { cadence: 'weekly', ...(max_credits === undefined ? {} : { max_credits }) },
    });
    const threePosts = async (): Promise<void> => {
      for (let post = 0; post < 3; post += 1) await service.post('nobody', 'A quokka');
    };
    const newestRun = async (workspace: SceneWorkspace): Promise<Answer['body']> =>
      (await workspace.data('GET /api/v2/workspace/signal-runs?page_size=1'))[0];

    it('stop each launch there: its prefix is paid, and the next launch has the full limit again', async () => {
      const workspace = await fresh();
      const { body } = await workspace.call('POST /api/v2/agents', {
        type: 'keyword_post_search',
        parameters: { tracking_keywords: ['quokka'] },
        ...weekly(25),
      });
      expect(body.data.schedule).toEqual({ cadence: 'weekly', max_credits: 25 });
      await threePosts();
      await service.advance('P7D');
      const first = {
        trigger: 'schedule',
        stage: 'completed_partial',
        matches_found: 2,
        matches_dropped: 1,
        credits_spent: 20,
        max_credits: 25,
        credits_left: 5,
      };
      expect(await newestRun(workspace)).toMatchObject(first);
      await threePosts();
      await service.advance('P7D');
      expect(await newestRun(workspace)).toMatchObject(first);
      expect((await workspace.balance()).captured).toBe(40);
      expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true });
    });

    it('are changed with the schedule of an agent and of a setup: set, kept, raised and removed', async () => {
      const workspace = await fresh();
      const setup = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['bilby'] });
      const agent = await scheduledAgent(workspace, 'bilby');
      for (const [change, read, category, id] of [
        [`PUT /api/v2/agents/${agent}`, `GET /api/v2/agents/${agent}`, 'agent', agent],
        [`PATCH /api/v3/signal-setups/${setup}`, `GET /api/v3/signal-setups/${setup}`, 'setup', setup],
      ] as const) {
        const shows = async (body: object, schedule: object | null): Promise<void> => {
          const changed = await workspace.call(change, body);
          expect([changed.status, changed.body.data.schedule]).toEqual([200, schedule]);
          expect((await workspace.call(read)).body.data.schedule).toEqual(schedule);
        };
        await shows(weekly(), { cadence: 'weekly' });
        await shows(weekly(10.5), { cadence: 'weekly', max_credits: 10.5 });
        await shows(weekly(), { cadence: 'weekly', max_credits: 10.5 });
        await shows({ name: 'Bilby' }, { cadence: 'weekly', max_credits: 10.5 });
        await shows(weekly(1_000_000_000), { cadence: 'weekly', max_credits: 1_000_000_000 });
        await shows(weekly(null), { cadence: 'weekly' });
        await shows(weekly(30), { cadence: 'weekly', max_credits: 30 });
        await shows({ schedule: null }, null);
        await shows(weekly(), { cadence: 'weekly' });
        expect(
          (await history(workspace, id, category)).filter((type) => type.startsWith('Schedule')),
        ).toEqual([
          'ScheduleSwitchedOn',
          ...Array.from({ length: 4 }, () => 'ScheduleLimitSet'),
          'ScheduleSwitchedOff',
          'ScheduleSwitchedOn',
        ]);
      }
      const { agents } = await workspace.command('agent.list');
      expect(agents).toMatchObject([{ weekly: true, max_credits: null }]);
    });

    it('are refused below one price and if they are invalid, naming the field, and change nothing', async () => {
      const workspace = await fresh();
      const templates = await templateIdsOf(workspace);
      const setup = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['bilby'] });
      const agent = await scheduledAgent(workspace, 'bilby');
      const created = { parameters: { tracking_keywords: ['bilby'] } };
      const requests = [
        ['POST /api/v2/agents', { ...created, type: 'keyword_post_search' }],
        ['POST /api/v3/signal-setups', { ...created, signal_template_id: templates.get(KEYWORD_TEMPLATE) }],
        [`PUT /api/v2/agents/${agent}`, { name: 'Never' }],
        [`PATCH /api/v3/signal-setups/${setup}`, { name: 'Never' }],
      ] as const;
      const faults: readonly (readonly [unknown, RegExp])[] = [
        [9.999999, /^must be at least the price of one signal: 10$/],
        [0, /^must be at least the price of one signal: 10$/],
        [-1, /^must be at least 0$/],
        [1_000_000_001, /^must be at most 1000000000$/],
        [10.0000001, /^must have at most six decimals$/],
        ['50', /^must be a number or null$/],
      ];
      for (const [route, body] of requests)
        for (const [max_credits, fault] of faults) {
          await service.expectSettledEvents([], async () => {
            const answer = await workspace.call(route, {
              ...body,
              schedule: { cadence: 'weekly', max_credits },
            });
            expect([route, answer.status, answer.body.errors]).toEqual([
              route,
              422,
              { 'schedule.max_credits': [expect.stringMatching(fault)] },
            ]);
          });
        }
    });

    it('skip a launch whose price has risen above the limit, and record it', async () => {
      const workspace = await fresh();
      const id = await scheduledAgent(workspace, 'numbat');
      await workspace.call(`PUT /api/v2/agents/${id}`, weekly(10));
      const anchor = service.now();
      await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 11 });
      await service.advance('P7D');
      expect((await history(workspace, id)).at(-1)).toBe(`${weekAfter(anchor, 1)} below-one-price`);
      await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 10 });
      await service.advance('P7D');
      expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(anchor, 2)} launched`);
    });

    it('OP-25 are taken below one price while nobody is billed', async () => {
      const workspace = await fresh();
      const templates = await templateIdsOf(workspace);
      await workspace.command('workspace.billing', { billing: 'exempt' });
      const created = { parameters: { tracking_keywords: ['bilby'] }, ...weekly(5) };
      const agent = await answered(
        201,
        workspace.call('POST /api/v2/agents', { ...created, type: 'keyword_post_search' }),
      );
      const signal_template_id = templates.get(KEYWORD_TEMPLATE);
      const setup = await answered(
        201,
        workspace.call('POST /api/v3/signal-setups', { ...created, signal_template_id }),
      );
      const agentRoute = `PUT /api/v2/agents/${agent.data.id}`;
      const changedAgent = await answered(200, workspace.call(agentRoute, weekly(0)));
      const setupRoute = `PATCH /api/v3/signal-setups/${setup.data.id}`;
      const changedSetup = await answered(200, workspace.call(setupRoute, weekly(0)));
      expect([agent, setup, changedAgent, changedSetup].map(({ data }) => data.schedule.max_credits)).toEqual(
        [5, 5, 0, 0],
      );
      // Once somebody pays, the limit is checked again, and its launches are skipped.
      const anchor = service.now();
      await workspace.command('workspace.billing', { billing: 'self' });
      await service.advance('P7D');
      expect((await history(workspace, agent.data.id)).at(-1)).toBe(
        `${weekAfter(anchor, 1)} below-one-price`,
      );
    });

    it('OP-25 skip no launch for its price while nobody is billed', async () => {
      const workspace = await fresh();
      const id = await scheduledAgent(workspace, 'numbat');
      await workspace.call(`PUT /api/v2/agents/${id}`, weekly(10));
      await workspace.command('workspace.billing', { billing: 'exempt' });
      const anchor = service.now();
      await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 11 });
      await service.advance('P7D');
      expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(anchor, 1)} launched`);
      await service.command('prices.set', { item: 'agent:keyword_post_search', credits: 10 });
    });
  });

  it('do not affect an agent without a schedule', async () => {
    const workspace = await fresh();
    const id = await keywordAgent(workspace, 'crm');
    await service.advance('P30D');
    expect(await history(workspace, id)).toEqual(['AgentCreated']);
  });
});
