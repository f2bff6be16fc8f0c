import { keywordAgent, observedPost } from '#test/support/observed-network.js';
import {
  balanceOf,
  KEYWORD_TEMPLATE,
  launchRun,
  pollRun,
  signalSetup,
  templateIdsOf,
} from '#test/support/signal-runs.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const START = '2026-06-01T10:00:00.000Z';

describe('weekly schedules', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: START });
  });
  /** Workspaces of finished tests are retired, so that they have no work when later tests let time pass. */
  afterEach(() => service.retireAll());
  afterAll(() => service.stop());

  const advance = (duration: string): Promise<Answer> => service.ops('clock.advance', { duration });
  const now = (): string => service.service.host.clock.now().toISOString();

  async function fresh(): Promise<TestWorkspace> {
    const workspace = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
    return workspace;
  }
  async function scheduledAgent(workspace: TestWorkspace, keyword = 'crm'): Promise<number> {
    const { body } = await workspace.call('POST /api/v2/agents', {
      type: 'keyword_post_search',
      parameters: { tracking_keywords: [keyword] },
      schedule: { cadence: 'weekly' },
    });
    return body.data.id;
  }
  /** The events of one agent's or setup's stream, with the details of each tick. */
  async function history(
    workspace: TestWorkspace,
    id: number,
    category = 'agent',
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    for await (const batch of service.service.host.eventStore.readStream(
      `${category}-${workspace.id}_${id}`,
    )) {
      for (const { type, data } of batch)
        lines.push(
          type === 'ScheduleTicked'
            ? `${String(data['dueAt'])} ${String(data['reason'] ?? data['outcome'])}`
            : type,
        );
    }
    return lines;
  }
  const weekAfter = (moment: string, weeks: number): string =>
    new Date(Date.parse(moment) + weeks * 7 * 86_400_000).toISOString();

  it('OP-17 OP-18 run an agent every seven days, due time by due time', async () => {
    const workspace = await fresh();
    const anchor = now();
    const id = await scheduledAgent(workspace);
    await advance('P6DT23H59M59S');
    expect(await history(workspace, id)).toEqual(['AgentCreated', 'ScheduleSwitchedOn']);
    await advance('PT1S');
    const week = ['RunLaunched', `${weekAfter(anchor, 1)} launched`, 'RunEnded'];
    expect(await history(workspace, id)).toEqual(['AgentCreated', 'ScheduleSwitchedOn', ...week]);
    await advance('P15D');
    expect((await history(workspace, id)).slice(5)).toEqual([
      'RunLaunched',
      `${weekAfter(anchor, 2)} launched`,
      'RunEnded',
      'RunLaunched',
      `${weekAfter(anchor, 3)} launched`,
      'RunEnded',
    ]);
  });

  it('OP-71 D-04 look back three days beyond the previous run, a week at least, and record what launched them', async () => {
    const workspace = await fresh();
    const id = await scheduledAgent(workspace, 'numbat');
    await service.ingest([observedPost('numbat', 'nobody', 'A numbat', now())]);
    const scheduledRun = async (): Promise<Answer['body']> => {
      const runs: number[] = [];
      const stream = `agent-${workspace.id}_${id}`;
      for await (const batch of service.service.host.eventStore.readStream(stream)) {
        for (const { type, data } of batch) if (type === 'RunEnded') runs.push(Number(data['runId']));
      }
      return (await pollRun(workspace, runs.at(-1))).body;
    };
    await advance('P7D');
    expect(await scheduledRun()).toMatchObject({
      trigger: 'schedule',
      agent_id: id,
      lookback_days: 90,
      matches_found: 1,
      credits_spent: 10,
    });
    await advance('P6D');
    await launchRun(workspace, id, { lookback_days: 1 });
    await service.ops('work.drain');
    await advance('P1D');
    expect(await scheduledRun()).toMatchObject({ trigger: 'schedule', lookback_days: 7, matches_found: 0 });
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: false });
    await advance('P20D');
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: true });
    await advance('P1D');
    expect(await scheduledRun()).toMatchObject({ lookback_days: 24 });
  });

  it('SETUP-68 run a signal setup, and stop while it is disabled, without changing the anchor', async () => {
    const workspace = await fresh();
    const anchor = now();
    const id = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    const path = `PATCH /api/v3/signal-setups/${id}`;
    await workspace.call(path, { schedule: { cadence: 'weekly' }, enabled: false });
    await advance('P15D');
    expect(await history(workspace, id, 'setup')).toEqual([
      'SignalSetupCreated',
      'SignalSetupChanged',
      'ScheduleSwitchedOn',
    ]);
    await workspace.call(path, { enabled: true });
    await advance('P5D');
    expect(await history(workspace, id, 'setup')).toHaveLength(4);
    await advance('P1D');
    expect((await history(workspace, id, 'setup')).slice(4)).toEqual([
      'RunLaunched',
      `${weekAfter(anchor, 3)} launched`,
      'RunEnded',
    ]);
  });

  it('OP-17 AG-73 keep their anchor when they are sent again, and get a new one when switched off and on', async () => {
    const workspace = await fresh();
    const anchor = now();
    const id = await scheduledAgent(workspace);
    const put = (body: object): Promise<Answer> => workspace.call(`PUT /api/v2/agents/${id}`, body);
    await advance('P3D');
    await put({ schedule: { cadence: 'weekly' } });
    await advance('P4D');
    expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(anchor, 1)} launched`);
    await put({ schedule: null });
    await advance('P8D');
    expect((await history(workspace, id)).at(-1)).toBe('ScheduleSwitchedOff');
    const again = now();
    await put({ schedule: { cadence: 'weekly' } });
    await advance('P7D');
    expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(again, 1)} launched`);
  });

  it('OP-17 record what they skip: no credits, a blocked workspace; and nothing for a deleted agent', async () => {
    const poor = await service.workspace({ credits: 9 });
    const blocked = await fresh();
    const deleted = await fresh();
    const anchor = now();
    const ids = { poor: await scheduledAgent(poor), blocked: await scheduledAgent(blocked) };
    const gone = await scheduledAgent(deleted);
    await deleted.call(`DELETE /api/v2/agents/${gone}`);
    await service.ops('workspace.block', { workspace_id: blocked.id, reason: 'unpaid' });
    await advance('P7D');
    expect((await history(poor, ids.poor)).slice(2)).toEqual([
      `${weekAfter(anchor, 1)} insufficient-credits`,
    ]);
    expect((await history(blocked, ids.blocked)).slice(2)).toEqual([
      `${weekAfter(anchor, 1)} workspace-blocked`,
    ]);
    expect(await history(deleted, gone)).toEqual(['AgentCreated', 'ScheduleSwitchedOn', 'AgentDeleted']);
    await service.ops('credits.grant', { workspace_id: poor.id, credits: 1, reason: 'enough' });
    await advance('P7D');
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
    const posts = (keyword: string, count: number): Promise<unknown> =>
      service.ingest(
        Array.from({ length: count }, (_, index) =>
          observedPost(`${keyword}-${now()}-${index}`, 'nobody', `A ${keyword}`, now()),
        ),
      );
    const newestRun = async (workspace: TestWorkspace): Promise<Answer['body']> =>
      (await workspace.call('GET /api/v2/workspace/signal-runs?limit=1')).body.data[0];
    const spent = async (workspace: TestWorkspace): Promise<number> => (await balanceOf(workspace)).captured;

    it('stop each launch there: its prefix is paid, and the next launch has the full limit again', async () => {
      const workspace = await fresh();
      const { body } = await workspace.call('POST /api/v2/agents', {
        type: 'keyword_post_search',
        parameters: { tracking_keywords: ['quokka'] },
        ...weekly(25),
      });
      expect(body.data.schedule).toEqual({ cadence: 'weekly', max_credits: 25 });
      await posts('quokka', 3);
      await advance('P7D');
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
      await posts('quokka', 3);
      await advance('P7D');
      expect(await newestRun(workspace)).toMatchObject(first);
      expect(await spent(workspace)).toBe(40);
      const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
      expect(verified.body).toMatchObject({ ok: true });
    });

    it('are changed with the schedule of an agent and of a setup: set, kept, raised and removed', async () => {
      const workspace = await fresh();
      const setup = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['bilby'] });
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
      const listed = await service.ops('agent.list', { workspace_id: workspace.id });
      expect(listed.body.agents).toMatchObject([{ weekly: true, max_credits: null }]);
    });

    it('are refused below one price and if they are invalid, naming the field, and change nothing', async () => {
      const workspace = await fresh();
      const templates = await templateIdsOf(workspace);
      const setup = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['bilby'] });
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
          const events = await service.settledEventsOf(async () => {
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
          expect(events).toEqual([]);
        }
    });

    it('skip a launch whose price has risen above the limit, and record it', async () => {
      const workspace = await fresh();
      const id = await scheduledAgent(workspace, 'numbat');
      await workspace.call(`PUT /api/v2/agents/${id}`, weekly(10));
      const anchor = now();
      await service.ops('prices.set', { item: 'agent:keyword_post_search', credits: 11 });
      await advance('P7D');
      expect((await history(workspace, id)).at(-1)).toBe(`${weekAfter(anchor, 1)} below-one-price`);
      await service.ops('prices.set', { item: 'agent:keyword_post_search', credits: 10 });
      await advance('P7D');
      expect((await history(workspace, id)).at(-2)).toBe(`${weekAfter(anchor, 2)} launched`);
    });
  });

  it('do not affect an agent without a schedule', async () => {
    const workspace = await fresh();
    const id = await keywordAgent(workspace, 'crm');
    await advance('P30D');
    expect(await history(workspace, id)).toEqual(['AgentCreated']);
  });
});
