import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import {
  completedRun,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
} from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, postNames } from '#test/support/signal-runs.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const START = '2026-06-01T10:00:00.000Z';

describe('daily monitoring passes', () => {
  /** Covered accounts by workspace and persona. */
  const covered = new Map<string, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId, personaId }: CoverageQuestion) =>
      covered.get(`${workspaceId} ${personaId}`) ?? [],
  };

  const service = scene({
    at: START,
    settings: { MONITORING_PASS: 'on' },
    outside: { coverage },
    network: [
      ...['acme', 'globex'].map((handle) => observedCompany(handle)),
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPerson('bo', employed('globex', 'VP Sales')),
      observedPerson('cy', { ...employed('acme', 'VP Sales'), geo: { country: 'Japan' } }),
      observedPerson('di', { ...employed('globex', 'VP Sales'), geo: { country: 'Japan' } }),
    ],
  });
  /** Workspaces of finished tests are retired, so that they have no work when later tests let time pass. */
  afterEach(() => service.retireAll());

  const watchingAgent = (workspace: SceneWorkspace, word: string): Promise<number> =>
    workspace.agent('keyword_detection', { parameters: { tracking_keywords: [word] } });
  /** The runs of an agent or setup, as they are polled. */
  async function runsOf(category: string, workspace: SceneWorkspace, id: number): Promise<Answer['body'][]> {
    const events = await service.stream(`${category}-${workspace.id}_${id}`);
    const ended = events.filter(({ type }) => type === 'RunEnded');
    return Promise.all(ended.map(async ({ data }) => (await workspace.poll(data['runId'])).body));
  }

  it('OP-38 D-31 C-18 are made for an agent a day after its creation and every day from then on, and charged', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await watchingAgent(workspace, 'alpaca');
    const first = await service.post('ana', 'About alpaca');
    await service.post('bo', 'About alpaca');
    await service.advance('PT23H59M59S');
    expect(await runsOf('agent', workspace, id)).toEqual([]);
    await service.advance('PT1S');
    const run = { trigger: 'monitoring', agent_id: id, stage: 'completed' };
    expect(await runsOf('agent', workspace, id)).toMatchObject([
      { ...run, lookback_days: 4, matches_found: 1, credits_spent: 10 },
    ]);
    expect(postNames(await workspace.detections())).toEqual([first]);
    await service.advance('P2D');
    expect(await runsOf('agent', workspace, id)).toMatchObject([
      { lookback_days: 4, matches_found: 1 },
      { lookback_days: 4, matches_found: 0 },
      { lookback_days: 4, matches_found: 0 },
    ]);
    expect(await workspace.movements()).toHaveLength(1);
  });

  describe('of an agent or setup with a weekly schedule', () => {
    const WEEKLY = { schedule: { cadence: 'weekly' } };
    /** A setup in a workspace in which the posts of Acme are covered, so that passes find them. */
    async function weeklySetup(word: string, options?: object) {
      const workspace = await service.workspace(options);
      const personaId = await workspace.persona({ job_title: ['Sales'], location: ['France'] });
      covered.set(`${workspace.id} ${personaId}`, ['c:acme']);
      const { id } = await workspace.data('POST /api/v3/signal-setups', {
        signal_template_key: 'keywords-in-job-postings',
        parameters: { tracking_keywords: [word] },
        ...WEEKLY,
      });
      return { workspace, id };
    }
    /** Its launches by trigger, its skipped passes and its due times, since its seventh day. */
    async function weekOf({ id: workspaceId }: SceneWorkspace, id: number): Promise<readonly string[]> {
      const events = await service.stream(`setup-${workspaceId}_${id}`);
      return events.slice(-4).flatMap(({ type, data }) => {
        if (type === 'RunLaunched') return [`launched by ${String(data['trigger'])}`];
        if (type === 'ScheduleTicked') return [`weekly ${String(data['reason'] ?? data['outcome'])}`];
        return type === 'MonitoringPassSkipped' ? [`pass skipped: ${String(data['reason'])}`] : [];
      });
    }

    it('OP-17 let the weekly run go first that falls due at the same time', async () => {
      const { workspace, id } = await weeklySetup('echidna');
      for (const week of [1, 2]) {
        await service.advance('P7D');
        expect([week, ...(await weekOf(workspace, id))]).toEqual([
          week,
          'launched by schedule',
          'weekly launched',
          'pass skipped: already-running',
        ]);
      }
    });

    it('OP-17 D-33 are made if the weekly run is refused', async () => {
      const { workspace, id } = await weeklySetup('possum', { credits: 5 });
      await service.advance('P7D');
      expect(await weekOf(workspace, id)).toEqual(['weekly insufficient-credits', 'launched by monitoring']);
    });
  });

  it('OP-62 OP-71 leave out a company whose signal detection is disabled, which a launch by hand does not', async () => {
    const workspace = await service.workspace();
    const { companyId } = await foundTopAccount(service, workspace, 'acme');
    await foundTopAccount(service, workspace, 'globex');
    const configure = (configuration: string): Promise<Answer> =>
      workspace.call(`PUT /api/v2/companies/${companyId}/pipeline-configs`, {
        pipeline_configs: [{ pipeline_type: 'signal_detection', configuration }],
      });
    await configure('disabled');
    const id = await watchingAgent(workspace, 'dugong');
    const about = await service.post('ana', 'About dugong');
    const other = await service.post('bo', 'About dugong');
    await service.advance('P1D');
    expect(postNames(await workspace.detections())).toEqual([other]);
    expect(await workspace.movements()).toHaveLength(1);
    await configure('default');
    await service.advance('P1D');
    expect(new Set(postNames(await workspace.detections()))).toEqual(new Set([about, other]));
    await configure('disabled');
    const late = await service.post('ana', 'About dugong again');
    await service.advance('P1D');
    expect(await runsOf('agent', workspace, id)).toMatchObject([
      { matches_found: 1 },
      { matches_found: 1 },
      { matches_found: 0 },
    ]);
    await completedRun(service, workspace, id);
    expect(new Set(postNames(await workspace.detections()))).toEqual(new Set([about, other, late]));
  });

  it('D-04 find once what the network shows up to three days late', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await watchingAgent(workspace, 'bongo');
    await service.advance('P1D');
    const late = await service.post('ana', 'About bongo', service.daysAgo(2.9));
    await service.post('ana', 'About bongo', service.daysAgo(3.1));
    await service.advance('P3D');
    expect(postNames(await workspace.detections())).toEqual([late]);
    expect((await runsOf('agent', workspace, id)).map(({ matches_found }) => matches_found)).toEqual([
      0, 1, 0, 0,
    ]);
  });

  it('D-33 are skipped if a launch by hand would be refused, and made again when it would not', async () => {
    const workspace = await service.workspace();
    const id = await watchingAgent(workspace, 'civet');
    await service.advance('P1D');
    const events = await service.stream(`agent-${workspace.id}_${id}`);
    expect(events.map(({ type, data }) => [type, data['reason']])).toEqual([
      ['AgentCreated', undefined],
      ['MonitoringPassSkipped', 'no-target-accounts'],
    ]);
    await foundTopAccount(service, workspace, 'acme');
    await service.post('ana', 'About civet');
    await service.advance('P1D');
    expect(await runsOf('agent', workspace, id)).toMatchObject([{ lookback_days: 5, matches_found: 1 }]);
  });

  it('AG-53 D-31 are not made while an agent is disabled, or for one that runs only when it is launched', async () => {
    const workspace = await service.workspace();
    await foundTopAccount(service, workspace, 'acme');
    const id = await watchingAgent(workspace, 'dingo');
    const search = await keywordAgent(workspace, 'dingo');
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: false });
    await service.advance('P3D');
    expect(await runsOf('agent', workspace, id)).toEqual([]);
    expect(await service.stream(`agent-${workspace.id}_${search}`)).toHaveLength(1);
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: true });
    await service.advance('PT23H');
    expect(await runsOf('agent', workspace, id)).toEqual([]);
    await service.advance('PT1H');
    expect(await runsOf('agent', workspace, id)).toMatchObject([{ trigger: 'monitoring', lookback_days: 4 }]);
  });

  it('D-30 D-16 OP-18 find for a setup the posts of covered accounts, free and of top priority', async () => {
    const workspace = await service.workspace();
    const persona = await workspace.persona({ job_title: ['CTO'], location: ['Japan'] });
    const id = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['eland'] });
    const ofCovered = await service.post('ana', 'About eland');
    const ofOther = await service.post('bo', 'About eland');
    await service.advance('P1D');
    expect((await service.stream(`setup-${workspace.id}_${id}`)).at(-1)).toMatchObject({
      type: 'MonitoringPassSkipped',
      data: { reason: 'no-target-accounts' },
    });
    covered.set(`${workspace.id} ${persona}`, ['c:acme']);
    await service.advance('P1D');
    expect(await runsOf('setup', workspace, id)).toMatchObject([
      { trigger: 'monitoring', lookback_days: 90, matches_found: 1, credits_spent: 0 },
    ]);
    expect(postNames(await workspace.detections())).toEqual([ofCovered]);
    expect(await workspace.movements()).toEqual([]);
    // By hand the whole network is read; nobody matches the persona, and the covered account is known.
    expect(await workspace.run(id)).toMatchObject({ matches_found: 1 });
    expect(postNames(await workspace.detections())).toEqual([ofCovered, ofOther].sort());
  });

  it('D-16 a launch by hand finds signals about a covered account for free, and charges the rest', async () => {
    const workspace = await service.workspace();
    const persona = await workspace.persona({ job_title: ['VP'], location: ['Japan'] });
    covered.set(`${workspace.id} ${persona}`, ['c:acme']);
    const id = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['fossa'] });
    for (const author of ['cy', 'di']) await service.post(author, 'About fossa');
    expect(await workspace.run(id)).toMatchObject({
      trigger: 'manual',
      matches_found: 2,
      credits_spent: 10,
    });
  });
});
