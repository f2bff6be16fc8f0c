import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import {
  detectionsOf,
  KEYWORD_TEMPLATE,
  movementsOf,
  pollRun,
  postNames,
  signalSetup,
} from '#test/support/signal-runs.js';
import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const START = '2026-06-01T10:00:00.000Z';
const DAY_MS = 86_400_000;

describe('daily monitoring passes', () => {
  let service: TestService;
  /** Covered accounts by workspace and persona. */
  const covered = new Map<string, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId, personaId }: CoverageQuestion) =>
      covered.get(`${workspaceId} ${personaId}`) ?? [],
  };

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual', MONITORING_PASS: 'on' }, undefined, { coverage });
    await service.ops('clock.set', { now: START });
    await service.ingest([
      ...['acme', 'globex'].map((handle) => observedCompany(handle)),
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPerson('bo', employed('globex', 'VP Sales')),
      observedPerson('cy', { ...employed('acme', 'VP Sales'), geo: { country: 'Japan' } }),
      observedPerson('di', { ...employed('globex', 'VP Sales'), geo: { country: 'Japan' } }),
    ]);
  });
  /** Workspaces of finished tests are retired, so that they have no work when later tests let time pass. */
  afterEach(() => service.retireAll());
  afterAll(() => service.stop());

  const advance = (duration: string): Promise<Answer> => service.ops('clock.advance', { duration });
  const now = (): Date => service.service.host.clock.now();
  const daysAgo = (days: number): string => new Date(now().getTime() - days * DAY_MS).toISOString();
  let posts = 0;
  /** A post with a unique word; its name. */
  async function post(author: string, word: string, publishedAt: string): Promise<string> {
    const name = `pass-${(posts += 1)}`;
    await service.ingest([observedPost(name, author, `About ${word}`, publishedAt)]);
    return name;
  }

  async function watchingAgent(workspace: TestWorkspace, word: string): Promise<number> {
    const parameters = { tracking_keywords: [word] };
    const { body } = await workspace.call('POST /api/v2/agents', { type: 'keyword_detection', parameters });
    return body.data.id;
  }
  type Events = readonly { readonly type: string; readonly data: { readonly [key: string]: unknown } }[];
  async function stream(category: string, workspace: TestWorkspace, id: number): Promise<Events> {
    const events: Events[number][] = [];
    const { eventStore } = service.service.host;
    for await (const batch of eventStore.readStream(`${category}-${workspace.id}_${id}`))
      events.push(...batch);
    return events;
  }
  /** The runs of an agent or setup, as they are polled. */
  async function runsOf(category: string, workspace: TestWorkspace, id: number): Promise<Answer['body'][]> {
    const ended = (await stream(category, workspace, id)).filter(({ type }) => type === 'RunEnded');
    return Promise.all(ended.map(async ({ data }) => (await pollRun(workspace, data['runId'])).body));
  }

  it('OP-38 D-31 C-18 are made for an agent a day after its creation and every day from then on, and charged', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await watchingAgent(workspace, 'alpaca');
    const [first, elsewhere] = [await post('ana', 'alpaca', now().toISOString()), 'bo'];
    await post(elsewhere, 'alpaca', now().toISOString());
    await advance('PT23H59M59S');
    expect(await runsOf('agent', workspace, id)).toEqual([]);
    await advance('PT1S');
    const run = { trigger: 'monitoring', agent_id: id, stage: 'completed' };
    expect(await runsOf('agent', workspace, id)).toMatchObject([
      { ...run, lookback_days: 4, matches_found: 1, credits_spent: 10 },
    ]);
    expect(postNames(await detectionsOf(workspace))).toEqual([first]);
    await advance('P2D');
    expect(await runsOf('agent', workspace, id)).toMatchObject([
      { lookback_days: 4, matches_found: 1 },
      { lookback_days: 4, matches_found: 0 },
      { lookback_days: 4, matches_found: 0 },
    ]);
    expect(await movementsOf(workspace)).toHaveLength(1);
  });

  it('D-04 find once what the network shows up to three days late', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await watchingAgent(workspace, 'bongo');
    await advance('P1D');
    const late = await post('ana', 'bongo', daysAgo(2.9));
    await post('ana', 'bongo', daysAgo(3.1));
    await advance('P3D');
    expect(postNames(await detectionsOf(workspace))).toEqual([late]);
    expect((await runsOf('agent', workspace, id)).map(({ matches_found }) => matches_found)).toEqual([
      0, 1, 0, 0,
    ]);
  });

  it('D-33 are skipped if a launch by hand would be refused, and made again when it would not', async () => {
    const workspace = await service.workspace();
    const id = await watchingAgent(workspace, 'civet');
    await advance('P1D');
    expect((await stream('agent', workspace, id)).map(({ type, data }) => [type, data['reason']])).toEqual([
      ['AgentCreated', undefined],
      ['MonitoringPassSkipped', 'no-target-accounts'],
    ]);
    await foundTopAccount(service, workspace, 'acme');
    await post('ana', 'civet', now().toISOString());
    await advance('P1D');
    expect(await runsOf('agent', workspace, id)).toMatchObject([{ lookback_days: 5, matches_found: 1 }]);
  });

  it('AG-53 D-31 are not made while an agent is disabled, or for one that runs only when it is launched', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await watchingAgent(workspace, 'dingo');
    const search = await workspace.call('POST /api/v2/agents', {
      type: 'keyword_post_search',
      parameters: { tracking_keywords: ['dingo'] },
    });
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: false });
    await advance('P3D');
    expect(await runsOf('agent', workspace, id)).toEqual([]);
    expect(await stream('agent', workspace, search.body.data.id)).toHaveLength(1);
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: true });
    await advance('PT23H');
    expect(await runsOf('agent', workspace, id)).toEqual([]);
    await advance('PT1H');
    expect(await runsOf('agent', workspace, id)).toMatchObject([{ trigger: 'monitoring', lookback_days: 4 }]);
  });

  it('D-30 D-16 OP-18 find for a setup the posts of covered accounts, free and of top priority', async () => {
    const workspace = await service.workspace();
    const persona = await workspace.call('POST /api/v2/personas', {
      job_title: ['CTO'],
      location: ['Japan'],
    });
    const id = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['eland'] });
    const ofCovered = await post('ana', 'eland', now().toISOString());
    const ofOther = await post('bo', 'eland', now().toISOString());
    await advance('P1D');
    expect((await stream('setup', workspace, id)).at(-1)).toMatchObject({
      type: 'MonitoringPassSkipped',
      data: { reason: 'no-target-accounts' },
    });
    covered.set(`${workspace.id} ${persona.body.data.id}`, ['c:acme']);
    await advance('P1D');
    expect(await runsOf('setup', workspace, id)).toMatchObject([
      { trigger: 'monitoring', lookback_days: 90, matches_found: 1, credits_spent: 0 },
    ]);
    expect(postNames(await detectionsOf(workspace))).toEqual([ofCovered]);
    expect(await movementsOf(workspace)).toEqual([]);
    // By hand the whole network is read; nobody matches the persona, and the covered account is known.
    const launched = await workspace.call('POST /api/v2/workspace/signal-runs', { agent_id: id });
    await service.ops('work.drain');
    expect((await pollRun(workspace, launched.body[0].signal_request_id)).body).toMatchObject({
      matches_found: 1,
    });
    expect(postNames(await detectionsOf(workspace))).toEqual([ofCovered, ofOther].sort());
  });

  it('D-16 a launch by hand finds signals about a covered account for free, and charges the rest', async () => {
    const workspace = await service.workspace();
    const { body } = await workspace.call('POST /api/v2/personas', {
      job_title: ['VP'],
      location: ['Japan'],
    });
    covered.set(`${workspace.id} ${body.data.id}`, ['c:acme']);
    const id = await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['fossa'] });
    for (const author of ['cy', 'di']) await post(author, 'fossa', now().toISOString());
    const launched = await workspace.call('POST /api/v2/workspace/signal-runs', { agent_id: id });
    await service.ops('work.drain');
    const run = await pollRun(workspace, launched.body[0].signal_request_id);
    expect(run.body).toMatchObject({ trigger: 'manual', matches_found: 2, credits_spent: 10 });
  });
});
