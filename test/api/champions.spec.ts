import { observedCompany, observedPerson } from '#test/support/observed-network.js';
import { addTo } from '#test/support/list-agents.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';

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
  const service = scene({
    at: START,
    settings: { MONITORING_PASS: 'on' },
    network: ['Acme', 'Globex'].map((name) => observedCompany(name.toLowerCase(), { name })),
  });

  async function listOf(
    workspace: SceneWorkspace,
    ...members: readonly (string | object)[]
  ): Promise<number> {
    const { id } = await workspace.list('champion', members);
    await service.drain();
    return id;
  }
  async function add(workspace: SceneWorkspace, list: number, handle: string): Promise<void> {
    await addTo(workspace, 'profile', list, [handle]);
    await service.drain();
  }
  async function trackingAgent(workspace: SceneWorkspace, list: number): Promise<number> {
    const { status, body } = await workspace.call('POST /api/v2/agents', { type: 'champion_tracking' });
    expect([status, body.data?.parameters]).toEqual([201, {}]);
    await workspace.call(`PUT /api/v2/agents/${body.data.id}`, { watchlist_id: list });
    return body.data.id;
  }
  const handles = async (workspace: SceneWorkspace, agentId: number): Promise<readonly string[]> =>
    (await workspace.detections({ agent_id: agentId }))
      .map(({ data }) => String(data.profile.network_url).replace(/.*\//, ''))
      .sort();

  it('AG-16 RUN-04 RUN-25 SIG-43 D-50 an agent reports every move since three days before they were added, for free', async () => {
    const workspace = await service.workspace();
    await service.ingest([
      ...movedOn('ana', service.daysAgo(2.9)),
      ...movedOn('early', service.daysAgo(3.1)),
      seen('bo', 1, '2025-06-01T00:00:00Z', atGlobex),
      seen('bo', 2, service.daysAgo(2), leftGlobex),
      seen('bo', 3, service.daysAgo(1), leftGlobex, atAcme),
      seen('cy', 1, '2025-06-01T00:00:00Z', atGlobex),
      seen('cy', 2, service.daysAgo(1), leftGlobex, position('Globex', 'VP Sales')),
    ]);
    const list = await listOf(workspace, 'ana', 'early', 'bo', 'cy', 'nobody-knows');
    const agent = await trackingAgent(workspace, list);
    const launched = await workspace.launch(agent);
    expect(launched).toMatchObject({ status: 202, body: [{ stage: 'running' }] });
    expect(launched.body).toHaveLength(1);
    await service.drain();
    expect((await workspace.poll(launched.body[0].signal_request_id)).body).toMatchObject({
      stage: 'completed',
      matches_found: 4,
      credits_spent: 0,
    });
    const found = await workspace.detections({ agent_id: agent });
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
    expect(await workspace.movements()).toEqual([]);
  });

  it('RUN-24 D-52 an agent skips members that were checked less than thirty days before, and no others', async () => {
    const workspace = await service.workspace();
    await service.ingest(movedOn('dan', service.daysAgo(1)));
    const list = await listOf(workspace, 'dan', 'late');
    const agent = await trackingAgent(workspace, list);
    const run = () => workspace.run(agent);
    expect(await run()).toMatchObject({ stage: 'completed', matches_found: 1 });

    // Dan moves again; an unknown person becomes known; a new member is added.
    await service.ingest([
      seen('dan', 3, service.now(), atGlobex),
      ...movedOn('late', service.daysAgo(0.1)),
      ...movedOn('eve', service.daysAgo(0.1)),
    ]);
    await add(workspace, list, 'eve');
    expect(await run()).toMatchObject({ stage: 'completed', matches_found: 2 });
    expect(await handles(workspace, agent)).toEqual(['dan', 'eve', 'late']);
    expect(await run()).toMatchObject({ stage: 'completed', matches_found: 0, matches_dropped: 0 });

    // A check belongs to the membership: added again, Dan was not checked.
    const before = await workspace.call(`GET /api/v2/lists/profile/${list}/members`);
    const dan = before.body.data.find(({ network_handle }: Row) => network_handle === 'dan');
    await workspace.call(`DELETE /api/v2/lists/profile/${list}/members/${dan.id}`);
    await add(workspace, list, 'dan');
    expect(await run()).toMatchObject({ matches_found: 1 });
    expect(await handles(workspace, agent)).toEqual(['dan', 'dan', 'eve', 'late']);
  });

  it('RUN-24 D-52 OP-38 daily passes check too, and again after thirty days to the hour', async () => {
    const workspace = await service.workspace();
    await service.ingest(movedOn('fay', service.daysAgo(1)));
    const agent = await trackingAgent(workspace, await listOf(workspace, 'fay'));
    await service.advance('P1D');
    expect(await handles(workspace, agent)).toEqual(['fay']);
    await service.ingest([seen('fay', 3, service.now(), leftGlobex)]);
    await service.advance('P1D');
    expect(await workspace.run(agent)).toMatchObject({ matches_found: 0 });
    await service.advance('P28DT23H');
    expect(await handles(workspace, agent)).toEqual(['fay']);
    await service.advance('PT1H');
    expect(await handles(workspace, agent)).toEqual(['fay', 'fay']);
  });

  it('RUN-09 D-50 an agent ignores the look-back of a launch', async () => {
    const workspace = await service.workspace();
    await service.ingest(movedOn('gus', service.daysAgo(2)));
    const agent = await trackingAgent(workspace, await listOf(workspace, 'gus'));
    expect(await workspace.run(agent, { lookback_days: 1 })).toMatchObject({
      matches_found: 1,
      lookback_days: 1,
    });
  });

  it('MEM-21 D-51 D-53 a setup compares the given company, each change at its price, as far as the balance allows', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await service.ingest([
      seen('hal', 1, '2025-06-01T00:00:00Z', atAcme),
      seen('ida', 1, '2025-06-01T00:00:00Z', atGlobex),
      ...movedOn('jon', service.daysAgo(1)),
      ...movedOn('kim', service.daysAgo(0.5)),
    ]);
    const list = await listOf(
      workspace,
      { network_handle: 'hal', company: { name: 'Initech' } },
      { network_handle: 'ida', company: { domain: 'globex.com' } },
      { network_handle: 'jon', company: { domain: 'globex.com' } },
      'kim',
    );
    const setup = await workspace.setup('champion-job-change', { list_id: list });
    expect(await workspace.run(setup)).toMatchObject({
      stage: 'completed_partial',
      matches_found: 2,
      matches_dropped: 1,
      credits_spent: 80,
    });
    // In order of their dates: Jon, Kim, and Hal, of whom only the date of addition is known.
    expect(await handles(workspace, setup)).toEqual(['jon', 'kim']);
    expect((await workspace.movements()).map(({ credits }) => Number(credits))).toEqual([40, 40]);

    await workspace.command('credits.grant', { credits: 100, reason: 'more' });
    expect(await workspace.run(setup)).toMatchObject({
      stage: 'completed',
      matches_found: 1,
      credits_spent: 40,
    });
    const [hal] = await workspace.detections({ agent_id: setup });
    expect(hal).toMatchObject({
      signal_type: 'championJobChange',
      signal_date: service.now(),
      data: {
        change: 'new_company',
        previous: { title: null, company_name: 'Initech', company_network_url: null, end_date: null },
        current: { title: 'VP Sales', company_name: 'Acme', start_date: '2024-03' },
      },
    });
    // A setup reads all members each time.
    await service.ingest([seen('kim', 3, service.now(), leftGlobex)]);
    expect(await workspace.run(setup)).toMatchObject({ matches_found: 1 });
    const departures = await workspace.setup('champion-job-change', {
      list_id: list,
      moves: ['promotion'],
    });
    expect(await workspace.run(departures)).toMatchObject({ matches_found: 0 });
  });
});
