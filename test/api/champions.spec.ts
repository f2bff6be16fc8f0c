import { observedCompany, observedPerson } from '#test/support/observed-network.js';
import {
  detectionsOf,
  launchRun,
  movementsOf,
  pollRun,
  seeRunThrough,
  signalSetup,
} from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const NETWORK = 'https://www.network.example';
const START = '2026-01-10T10:00:00.000Z';

const position = (company: string, title: string, endDate: string | null = null): object => ({
  title,
  company_ref: `c:${company.toLowerCase()}`,
  company_name: company,
  start_date: '2024-03',
  end_date: endDate,
});
const atGlobex = position('Globex', 'Head of Sales');
const leftGlobex = position('Globex', 'Head of Sales', '2026-01');
const atAcme = position('Acme', 'VP Sales');

const seen = (handle: string, rev: number, observedAt: string, ...experiences: readonly object[]): object =>
  observedPerson(handle, { rev, observed_at: observedAt, experiences });
/** A person who worked at Globex and was observed at Acme at this time. */
const movedOn = (handle: string, observedAt: string): readonly object[] => [
  seen(handle, 1, '2025-06-01T00:00:00Z', atGlobex),
  seen(handle, 2, observedAt, leftGlobex, atAcme),
];

type Row = Readonly<Record<string, unknown>>;

describe('champions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual', MONITORING_PASS: 'on' });
    await service.ops('clock.set', { now: START });
    await service.ingest(['Acme', 'Globex'].map((name) => observedCompany(name.toLowerCase(), { name })));
  });
  afterAll(() => service.stop());

  const now = (): Date => service.service.host.clock.now();
  const daysAgo = (days: number): string => new Date(now().getTime() - days * 86_400_000).toISOString();
  const advance = async (duration: string): Promise<void> => {
    const { status } = await service.ops('clock.advance', { duration });
    expect(status).toBe(200);
    await service.ops('work.drain');
  };

  async function listOf(workspace: TestWorkspace, ...members: readonly object[]): Promise<number> {
    const { body } = await workspace.call('POST /api/v2/lists', { type: 'champion', name: 'Champions' });
    if (members.length > 0) await add(workspace, body.data.id, ...members);
    return body.data.id;
  }
  async function add(
    workspace: TestWorkspace,
    list: number,
    ...members: readonly object[]
  ): Promise<readonly Row[]> {
    const { status, body } = await workspace.call(`POST /api/v2/lists/profile/${list}/members`, { members });
    expect([status, body.errors]).toEqual([200, []]);
    await service.ops('work.drain');
    return body.data;
  }
  async function trackingAgent(workspace: TestWorkspace, list: number): Promise<number> {
    const { status, body } = await workspace.call('POST /api/v2/agents', { type: 'champion_tracking' });
    expect([status, body.data?.parameters]).toEqual([201, {}]);
    await workspace.call(`PUT /api/v2/agents/${body.data.id}`, { watchlist_id: list });
    return body.data.id;
  }
  const handles = async (workspace: TestWorkspace, agentId: number): Promise<readonly string[]> =>
    (await detectionsOf(workspace, { agent_id: agentId }))
      .map(({ data }) => String(data.profile.network_url).replace(/.*\//, ''))
      .sort();

  it('AG-16 RUN-04 RUN-25 SIG-43 D-50 an agent reports every move since three days before they were added, for free', async () => {
    const workspace = await service.workspace();
    await service.ingest([
      ...movedOn('ana', daysAgo(2.9)),
      ...movedOn('early', daysAgo(3.1)),
      seen('bo', 1, '2025-06-01T00:00:00Z', atGlobex),
      seen('bo', 2, daysAgo(2), leftGlobex),
      seen('bo', 3, daysAgo(1), leftGlobex, atAcme),
      seen('cy', 1, '2025-06-01T00:00:00Z', atGlobex),
      seen('cy', 2, daysAgo(1), leftGlobex, position('Globex', 'VP Sales')),
    ]);
    const members = ['ana', 'early', 'bo', 'cy', 'nobody-knows'].map((handle) => ({
      network_handle: handle,
    }));
    const agent = await trackingAgent(workspace, await listOf(workspace, ...members));
    const launched = await launchRun(workspace, agent);
    expect(launched).toMatchObject({ status: 202, body: [{ stage: 'running' }] });
    expect(launched.body).toHaveLength(1);
    await service.ops('work.drain');
    expect((await pollRun(workspace, launched.body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed',
      matches_found: 4,
      credits_spent: 0,
    });
    const found = await detectionsOf(workspace, { agent_id: agent });
    const profile = (handle: string) => ({
      full_name: `${handle} Roy`,
      headline: null,
      network_url: `${NETWORK}/in/${handle}`,
    });
    const globex = {
      title: 'Head of Sales',
      company_name: 'Globex',
      company_network_url: `${NETWORK}/company/globex`,
      end_date: '2026-01',
    };
    const acme = {
      title: 'VP Sales',
      company_name: 'Acme',
      company_network_url: `${NETWORK}/company/acme`,
      start_date: '2024-03',
    };
    const ofType = new Set(found.map(({ signal_type }) => signal_type));
    expect([...ofType]).toEqual(['championJobChange']);
    expect(found.map(({ data }) => data).reverse()).toEqual([
      { profile: profile('ana'), change: 'new_company', previous: globex, current: acme },
      { profile: profile('bo'), change: 'departure', previous: globex, current: null },
      { profile: profile('bo'), change: 'new_company', previous: globex, current: acme },
      {
        profile: profile('cy'),
        change: 'promotion',
        previous: globex,
        current: { ...acme, company_name: 'Globex', company_network_url: globex.company_network_url },
      },
    ]);
    expect(await movementsOf(workspace)).toEqual([]);
  });

  it('RUN-24 D-52 an agent skips members that were checked less than thirty days before, and no others', async () => {
    const workspace = await service.workspace();
    await service.ingest(movedOn('dan', daysAgo(1)));
    const list = await listOf(workspace, { network_handle: 'dan' }, { network_handle: 'late' });
    const agent = await trackingAgent(workspace, list);
    const run = () => seeRunThrough(service, workspace, agent);
    expect(await run()).toMatchObject({ stage: 'completed', matches_found: 1 });

    // Dan moves again; an unknown person becomes known; a new member is added.
    await service.ingest([
      seen('dan', 3, now().toISOString(), atGlobex),
      ...movedOn('late', daysAgo(0.1)),
      ...movedOn('eve', daysAgo(0.1)),
    ]);
    await add(workspace, list, { network_handle: 'eve' });
    expect(await run()).toMatchObject({ stage: 'completed', matches_found: 2 });
    expect(await handles(workspace, agent)).toEqual(['dan', 'eve', 'late']);
    expect(await run()).toMatchObject({ stage: 'completed', matches_found: 0, matches_dropped: 0 });

    // A check belongs to the membership: added again, Dan was not checked.
    const before = await workspace.call(`GET /api/v2/lists/profile/${list}/members`);
    const dan = before.body.data.find(({ network_handle }: Row) => network_handle === 'dan');
    await workspace.call(`DELETE /api/v2/lists/profile/${list}/members/${dan.id}`);
    await add(workspace, list, { network_handle: 'dan' });
    expect(await run()).toMatchObject({ matches_found: 1 });
    expect(await handles(workspace, agent)).toEqual(['dan', 'dan', 'eve', 'late']);
  });

  it('RUN-24 D-52 OP-38 daily passes check too, and again after thirty days to the hour', async () => {
    const workspace = await service.workspace();
    await service.ingest(movedOn('fay', daysAgo(1)));
    const agent = await trackingAgent(workspace, await listOf(workspace, { network_handle: 'fay' }));
    await advance('P1D');
    expect(await handles(workspace, agent)).toEqual(['fay']);
    await service.ingest([seen('fay', 3, now().toISOString(), leftGlobex)]);
    await advance('P1D');
    expect(await seeRunThrough(service, workspace, agent)).toMatchObject({ matches_found: 0 });
    await advance('P28DT23H');
    expect(await handles(workspace, agent)).toEqual(['fay']);
    await advance('PT1H');
    expect(await handles(workspace, agent)).toEqual(['fay', 'fay']);
  });

  it('RUN-09 D-50 an agent ignores the look-back of a launch', async () => {
    const workspace = await service.workspace();
    await service.ingest(movedOn('gus', daysAgo(2)));
    const agent = await trackingAgent(workspace, await listOf(workspace, { network_handle: 'gus' }));
    expect(await seeRunThrough(service, workspace, agent, { lookback_days: 1 })).toMatchObject({
      matches_found: 1,
      lookback_days: 1,
    });
  });

  it('MEM-21 D-51 D-53 a setup compares the given company, each change at its price, as far as the balance allows', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await service.ingest([
      seen('hal', 1, '2025-06-01T00:00:00Z', atAcme),
      seen('ida', 1, '2025-06-01T00:00:00Z', atGlobex),
      ...movedOn('jon', daysAgo(1)),
      ...movedOn('kim', daysAgo(0.5)),
    ]);
    const list = await listOf(
      workspace,
      { network_handle: 'hal', company: { name: 'Initech' } },
      { network_handle: 'ida', company: { domain: 'globex.com' } },
      { network_handle: 'jon', company: { domain: 'globex.com' } },
      { network_handle: 'kim' },
    );
    const setup = await signalSetup(workspace, 'champion-job-change', { list_id: list });
    expect(await seeRunThrough(service, workspace, setup)).toMatchObject({
      stage: 'completed_partial',
      matches_found: 2,
      matches_dropped: 1,
      credits_spent: 80,
    });
    // In order of their dates: Jon, Kim, and Hal, of whom only the date of addition is known.
    expect(await handles(workspace, setup)).toEqual(['jon', 'kim']);
    expect((await movementsOf(workspace)).map(({ credits }) => Number(credits))).toEqual([40, 40]);

    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 100, reason: 'more' });
    expect(await seeRunThrough(service, workspace, setup)).toMatchObject({
      stage: 'completed',
      matches_found: 1,
      credits_spent: 40,
    });
    const [hal] = await detectionsOf(workspace, { agent_id: setup });
    expect(hal).toMatchObject({
      signal_type: 'championJobChange',
      signal_date: now().toISOString(),
      data: {
        change: 'new_company',
        previous: { title: null, company_name: 'Initech', company_network_url: null, end_date: null },
        current: { title: 'VP Sales', company_name: 'Acme', start_date: '2024-03' },
      },
    });
    // A setup reads all members each time.
    await service.ingest([seen('kim', 3, now().toISOString(), leftGlobex)]);
    expect(await seeRunThrough(service, workspace, setup)).toMatchObject({ matches_found: 1 });
    const departures = await signalSetup(workspace, 'champion-job-change', {
      list_id: list,
      moves: ['promotion'],
    });
    expect(await seeRunThrough(service, workspace, departures)).toMatchObject({ matches_found: 0 });
  });
});
