import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { changedStores } from '#test/bad-days/other-stores.js';
import {
  detectionsOf,
  KEYWORD_TEMPLATE,
  launchRun,
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

/** Holds the reads of posts that `holdAfter` selects. */
function postGate() {
  let passing = Infinity;
  let open = (): void => {};
  let reached = (): void => {};
  let opened = Promise.resolve();
  return {
    /** The reads after the next `count` wait; returns a promise of the first that does. */
    holdAfter(count: number): Promise<void> {
      passing = count;
      opened = new Promise((resolve) => (open = resolve));
      return new Promise((resolve) => (reached = resolve));
    },
    release(): void {
      passing = Infinity;
      open();
    },
    around: (source: NetworkSource): NetworkSource => ({
      ...source,
      async posts(search) {
        passing -= 1;
        if (passing < 0) {
          reached();
          await opened;
        }
        return source.posts(search);
      },
    }),
  };
}

describe('live passes', () => {
  let service: TestService;
  const gate = postGate();
  const covered = new Map<string, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId, personaId }: CoverageQuestion) =>
      covered.get(`${workspaceId} ${personaId}`) ?? [],
  };

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual', MONITORING_PASS: 'live' }, undefined, {
      coverage,
      openStores: changedStores(({ network }) => ({
        network: { ...network, source: gate.around(network.source) },
      })),
    });
    await service.ops('clock.set', { now: START });
    await service.ingest([
      ...['acme', 'globex'].map((handle) => observedCompany(handle)),
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPerson('bo', employed('globex', 'VP Sales')),
    ]);
  });
  afterAll(() => service.stop());

  const advance = (duration: string): Promise<Answer> => service.ops('clock.advance', { duration });
  const drain = (): Promise<Answer> => service.ops('work.drain');
  const now = (): string => service.service.host.clock.now().toISOString();
  let posts = 0;
  async function post(author: string, word: string, publishedAt = now()): Promise<string> {
    const name = `live-${(posts += 1)}`;
    await service.ingest([observedPost(name, author, `About ${word}`, publishedAt)]);
    return name;
  }
  async function watchingAgent(workspace: TestWorkspace, word: string, more: object = {}): Promise<number> {
    await foundTopAccount(service, workspace, 'acme');
    const parameters = { tracking_keywords: [word], ...more };
    const { body } = await workspace.call('POST /api/v2/agents', { type: 'keyword_detection', parameters });
    return body.data.id;
  }
  const runsOf = async (workspace: TestWorkspace): Promise<Answer['body'][]> =>
    (await workspace.call('GET /api/v2/workspace/signal-runs')).body.data;

  it('LIV-01 detect and charge what arrives, within the search of the daily pass', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'alpaca');
    const found = await post('ana', 'alpaca');
    await post('bo', 'alpaca');
    await post('ana', 'alpaca', new Date(Date.parse(now()) - 5 * 86_400_000).toISOString());
    await drain();
    expect(postNames(await detectionsOf(workspace))).toEqual([found]);
    expect(await movementsOf(workspace)).toMatchObject([{ credits: 10 }]);
    expect(await runsOf(workspace)).toMatchObject([
      { trigger: 'monitoring', stage: 'completed', matches_found: 1, credits_spent: 10, lookback_days: 3 },
    ]);
  });

  it('LIV-01 find for a setup the posts of covered accounts, free, at most once in 20 s', async () => {
    const workspace = await service.workspace();
    const persona = await workspace.call('POST /api/v2/personas', {
      job_title: ['CTO'],
      location: ['Japan'],
    });
    covered.set(`${workspace.id} ${persona.body.data.id}`, ['c:acme']);
    await signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['eland'] });
    const first = await post('ana', 'eland');
    await drain();
    const second = await post('ana', 'eland');
    await drain();
    expect(postNames(await detectionsOf(workspace))).toEqual([first]);
    await advance('PT20S');
    await drain();
    expect(postNames(await detectionsOf(workspace))).toEqual([first, second].sort());
    expect(await movementsOf(workspace)).toEqual([]);
  });

  it('LIV-02 leave the posts of an agent with a cap of posts to its daily pass', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'heron', { max_posts_to_scrape: 5 });
    const found = await post('ana', 'heron');
    await drain();
    expect(await detectionsOf(workspace)).toEqual([]);
    await advance('P1D');
    expect(postNames(await detectionsOf(workspace))).toEqual([found]);
  });

  it('LIV-03 record nothing if nothing is found, while disabled, and if a launch would be refused', async () => {
    const workspace = await service.workspace({ credits: 5 });
    const id = await watchingAgent(workspace, 'ibis');
    await drain();
    expect(
      await service.eventsOf(async () => {
        await post('ana', 'other words');
        await post('bo', 'ibis');
        await drain();
        // There are no credits for it.
        await post('ana', 'ibis');
        await drain();
      }),
    ).toEqual([]);
    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 100, key: 'live' });
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: false });
    await advance('PT1M');
    expect(
      await service.eventsOf(async () => {
        await post('ana', 'ibis');
        await drain();
      }),
    ).toEqual([]);
  });

  it('LIV-03 do not refuse a launch: a live pass in progress stops, and the launch finds nothing twice', async () => {
    const workspace = await service.workspace();
    const id = await watchingAgent(workspace, 'lynx');
    await drain();
    const names = await Promise.all(Array.from({ length: 3 }, () => post('ana', 'lynx')));
    // The first read checks whether something is found, the second is that of the run.
    const held = gate.holdAfter(1);
    const draining = drain();
    await held;
    let status = 0;
    const added = await service.eventsOf(async () => {
      ({ status } = await launchRun(workspace, id));
      // A run that does not wait starts within the time of these answers.
      for (let answers = 0; answers < 20; answers += 1) await runsOf(workspace);
    });
    gate.release();
    await draining;
    await drain();
    expect(status).toBe(202);
    // The run of the launch waits until the live pass has ended.
    expect(added).not.toContain('RunStarted');
    expect(postNames(await detectionsOf(workspace))).toEqual([...names].sort());
    expect(await movementsOf(workspace)).toHaveLength(3);
    const runs = await runsOf(workspace);
    expect(runs).toHaveLength(2);
    expect(runs.map(({ stage }) => stage)).not.toContain('running');
    expect(runs.reduce((sum, { matches_found }) => sum + matches_found, 0)).toBe(3);
  });

  it('LIV-04 are no previous pass for the daily one, which finds the rest once', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'moose');
    const live = await post('ana', 'moose');
    await drain();
    // The author becomes known later; there is no arrival of the post for that.
    const late = await post('newcomer', 'moose');
    await drain();
    await service.ingest([observedPerson('newcomer', employed('acme', 'CTO'))]);
    await advance('P1D');
    expect(postNames(await detectionsOf(workspace))).toEqual([live, late].sort());
    expect(await movementsOf(workspace)).toHaveLength(2);
    const [daily] = await runsOf(workspace);
    expect(daily).toMatchObject({ trigger: 'monitoring', matches_found: 1, lookback_days: 4 });
  });

  it('LIV-05 are one row per day in the list of runs, with the sums of all', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'okapi');
    for (let pass = 0; pass < 3; pass += 1) {
      await post('ana', 'okapi');
      await drain();
      await advance('PT30S');
    }
    const runs = await runsOf(workspace);
    expect(runs).toMatchObject([{ stage: 'completed', matches_found: 3, credits_spent: 30 }]);
    const shown = runs[0].signal_request_id;
    expect((await pollRun(workspace, shown)).body).toEqual(runs[0]);
    expect(await detectionsOf(workspace, { signal_run_id: shown })).toHaveLength(3);
    const [movement] = await movementsOf(workspace);
    const why = await workspace.call(`GET /api/v3/credits/movements/${movement.id}`);
    expect(why.body.data.origin.run).toMatchObject({ id: shown });
    await advance('P1D');
    await post('ana', 'okapi');
    await drain();
    expect(await runsOf(workspace)).toHaveLength(3);
  });
});
