import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { standingQuestions } from '#projections/signals/standing-questions/standing-questions.projection.js';
import type { Stores } from '#runtime/stores.js';
import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import type { Arrival, NetworkArrivals } from '#network/arrivals.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { changedStores } from '#test/bad-days/other-stores.js';
import { KEYWORD_TEMPLATE, postNames } from '#test/support/signal-runs.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';
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

/** Holds reads of arrivals, fails one, or repeats the last one. */
function arrivalGate() {
  let held: { readonly reached: () => void; readonly opened: Promise<void> } | null = null;
  let failed: (() => void) | null = null;
  let repeating = false;
  return {
    /** The next read waits until `release`. */
    hold(): { readonly reached: Promise<void>; readonly release: () => void } {
      let release = (): void => {};
      const opened = new Promise<void>((resolve) => (release = resolve));
      const reached = new Promise<void>((resolve) => (held = { reached: resolve, opened }));
      return { reached, release };
    },
    /** The next read of arrivals rejects after it has taken them; resolves when it has. */
    fail: (): Promise<void> => new Promise((resolve) => (failed = resolve)),
    /** While true, no read is empty, as during a long ingest. */
    repeat: (on: boolean): void => void (repeating = on),
    around: (arrivals: NetworkArrivals): NetworkArrivals => ({
      ofLast(ms) {
        const reader = arrivals.ofLast(ms);
        let last: readonly Arrival[] = [];
        return {
          async next(limit) {
            const now = held;
            held = null;
            now?.reached();
            await now?.opened;
            const arrived = await reader.next(limit);
            if (arrived.length > 0) last = arrived;
            else if (repeating) return last;
            if (arrived.length === 0 || failed === null) return arrived;
            failed();
            failed = null;
            throw new StoreUnavailable('the network store is gone');
          },
        };
      },
    }),
  };
}

/** Hides standing questions, as a read model does that shows its documents in another order than their changes. */
function hiddenQuestions() {
  const hidden = new Set<number>();
  const isShown = (document: object): boolean => !hidden.has(Number(Reflect.get(document, 'ownerId')));
  return {
    hide: (id: number): void => void hidden.add(id),
    show: (): void => hidden.clear(),
    around: (reads: Stores['reads']): Stores['reads'] =>
      new Proxy(reads, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function' || name !== 'find') return member;
          return async (view: { readonly name: string }, query: unknown): Promise<unknown> => {
            const found: object[] = await Reflect.apply(member, target, [view, query]);
            return view.name === standingQuestions.name ? found.filter(isShown) : found;
          };
        },
      }),
  };
}

describe('live passes', () => {
  const gate = postGate();
  const arrivals = arrivalGate();
  const questions = hiddenQuestions();
  const covered = new Map<string, readonly string[]>();
  const coverage = {
    coveredAccounts: async ({ workspaceId, personaId }: CoverageQuestion) =>
      covered.get(`${workspaceId} ${personaId}`) ?? [],
  };

  const service = scene({
    at: START,
    settings: { MONITORING_PASS: 'live' },
    outside: {
      coverage,
      openStores: changedStores(({ network, reads }) => ({
        reads: questions.around(reads),
        network: {
          ...network,
          source: gate.around(network.source),
          arrivals: arrivals.around(network.arrivals),
        },
      })),
    },
    network: [
      ...['acme', 'globex'].map((handle) => observedCompany(handle)),
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPerson('bo', employed('globex', 'VP Sales')),
    ],
  });

  async function watchingAgent(workspace: SceneWorkspace, word: string, more: object = {}): Promise<number> {
    await foundTopAccount(service, workspace, 'acme');
    const parameters = { tracking_keywords: [word], ...more };
    return workspace.agent('keyword_detection', { parameters });
  }
  const runsOf = (workspace: SceneWorkspace): Promise<Answer['body'][]> =>
    workspace.data('GET /api/v2/workspace/signal-runs');

  it('LIV-01 detect and charge what arrives, within the search of the daily pass', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'alpaca');
    const found = await service.post('ana', 'alpaca');
    await service.post('bo', 'alpaca');
    await service.post('ana', 'alpaca', service.daysAgo(5));
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([found]);
    expect(await workspace.movements()).toMatchObject([{ credits: 10 }]);
    expect(await runsOf(workspace)).toMatchObject([
      { trigger: 'monitoring', stage: 'completed', matches_found: 1, credits_spent: 10, lookback_days: 3 },
    ]);
  });

  it('LIV-01 find what arrives after a new setup, also if a look began before it', async () => {
    const workspace = await service.workspace();
    const personaId = await workspace.persona({ job_title: ['CTO'], location: ['Japan'] });
    covered.set(`${workspace.id} ${personaId}`, ['c:acme']);
    const look = arrivals.hold();
    await look.reached;
    await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['okapi'] });
    const found = await service.post('ana', 'okapi');
    look.release();
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([found]);
  });

  it('LIV-01 find for a setup the posts of covered accounts, free, at most once in 20 s', async () => {
    const workspace = await service.workspace();
    const personaId = await workspace.persona({ job_title: ['CTO'], location: ['Japan'] });
    covered.set(`${workspace.id} ${personaId}`, ['c:acme']);
    await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['eland'] });
    const first = await service.post('ana', 'eland');
    await service.drain();
    const second = await service.post('ana', 'eland');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([first]);
    await service.advance('PT20S');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([first, second].sort());
    expect(await workspace.movements()).toEqual([]);
  });

  it('LIV-01 find for a new agent, also if a later one is shown before it', async () => {
    const workspace = await service.workspace();
    const early = await watchingAgent(workspace, 'quokka');
    questions.hide(early);
    await workspace.agent('keyword_detection', { parameters: { tracking_keywords: ['quoll'] } });
    const later = await service.post('ana', 'quoll');
    await service.drain();
    questions.show();
    const found = await service.post('ana', 'quokka');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([later, found].sort());
  });

  it('LIV-01 find what is dated some seconds ahead once its time has come', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'serval');
    const ahead = new Date(Date.parse(service.now()) + 5_000).toISOString();
    const found = await service.post('ana', 'serval', ahead);
    await service.drain();
    expect(await workspace.detections()).toEqual([]);
    await service.advance('PT5S');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([found]);
  });

  it('LIV-01 find what arrived in a read that failed', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'tapir');
    await service.drain();
    const failed = arrivals.fail();
    const found = await service.post('ana', 'tapir');
    await failed;
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([found]);
  });

  it('LIV-01 find what arrives while more and more arrives', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'urial');
    await service.drain();
    arrivals.repeat(true);
    try {
      const found = await service.post('ana', 'urial');
      let shown: readonly string[] = [];
      while (shown.length === 0) shown = postNames(await workspace.detections());
      expect(shown).toEqual([found]);
    } finally {
      arrivals.repeat(false);
    }
  });

  it('LIV-02 find each of two moves of a person that arrive together', async () => {
    const workspace = await service.workspace();
    const personaId = await workspace.persona({ job_title: ['CTO'], location: ['Japan'] });
    covered.set(`${workspace.id} ${personaId}`, ['c:acme']);
    const { id: list_id } = await workspace.list('customer', ['acme']);
    await workspace.setup('customer-contact-departure', { list_id });
    await service.drain();
    const seenAt = (rev: number, company: string, observed_at: string): object => {
      const job = { title: 'VP Sales', company_ref: `c:${company}`, end_date: null };
      const start_date = observed_at.slice(0, '2026-01-01'.length);
      return observedPerson('mover', { rev, observed_at, experiences: [{ ...job, start_date }] });
    };
    await service.ingest([
      seenAt(1, 'acme', service.daysAgo(3)),
      seenAt(2, 'globex', service.daysAgo(2)),
      seenAt(3, 'initech', service.daysAgo(1)),
    ]);
    await service.drain();
    expect(await workspace.detections()).toMatchObject([
      { signal_type: 'newJob', data: { previous: { company_name: 'acme' } } },
    ]);
  });

  it('LIV-02 leave the posts of an agent with a cap of posts to its daily pass', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'heron', { max_posts_to_scrape: 5 });
    const found = await service.post('ana', 'heron');
    await service.drain();
    expect(await workspace.detections()).toEqual([]);
    await service.advance('P1D');
    expect(postNames(await workspace.detections())).toEqual([found]);
  });

  it('LIV-03 record nothing if nothing is found, while disabled, and if a launch would be refused', async () => {
    const workspace = await service.workspace({ credits: 5 });
    const id = await watchingAgent(workspace, 'ibis');
    await service.drain();
    await service.expectEvents([], async () => {
      await service.post('ana', 'other words');
      await service.post('bo', 'ibis');
      await service.drain();
      // There are no credits for it.
      await service.post('ana', 'ibis');
      await service.drain();
    });
    await workspace.command('credits.grant', { credits: 100, reason: 'top-up' });
    await workspace.call(`PUT /api/v2/agents/${id}`, { enabled: false });
    await service.advance('PT1M');
    await service.expectEvents([], async () => {
      await service.post('ana', 'ibis');
      await service.drain();
    });
  });

  it('LIV-03 OP-62 record nothing about a company whose signal detection is disabled', async () => {
    const workspace = await service.workspace();
    const { companyId } = await foundTopAccount(service, workspace, 'acme');
    await foundTopAccount(service, workspace, 'globex');
    await workspace.call(`PUT /api/v2/companies/${companyId}/pipeline-configs`, {
      pipeline_configs: [{ pipeline_type: 'signal_detection', configuration: 'disabled' }],
    });
    await workspace.agent('keyword_detection', { parameters: { tracking_keywords: ['dingo'] } });
    await service.drain();
    await service.expectEvents([], async () => {
      await service.post('ana', 'dingo');
      await service.drain();
    });
    const found = await service.post('bo', 'dingo');
    await service.advance('PT20S');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([found]);
  });

  it('LIV-03 do not refuse a launch: a live pass in progress stops, and the launch finds nothing twice', async () => {
    const workspace = await service.workspace();
    const id = await watchingAgent(workspace, 'lynx');
    await service.drain();
    const names = await Promise.all(Array.from({ length: 3 }, () => service.post('ana', 'lynx')));
    // The first read checks whether something is found, the second is that of the run.
    const held = gate.holdAfter(1);
    const draining = service.drain();
    await held;
    let status = 0;
    const added = await service.eventsOf(async () => {
      ({ status } = await workspace.launch(id));
      // A run that does not wait starts within the time of these answers.
      for (let answers = 0; answers < 20; answers += 1) await runsOf(workspace);
    });
    gate.release();
    await draining;
    await service.drain();
    expect(status).toBe(202);
    // The run of the launch waits until the live pass has ended.
    expect(added).not.toContain('RunStarted');
    expect(postNames(await workspace.detections())).toEqual([...names].sort());
    expect(await workspace.movements()).toHaveLength(3);
    const runs = await runsOf(workspace);
    expect(runs).toHaveLength(2);
    expect(runs.map(({ stage }) => stage)).not.toContain('running');
    expect(runs.reduce((sum, { matches_found }) => sum + matches_found, 0)).toBe(3);
  });

  it('LIV-03 find after a launch what it did not search, if it began during the search of a live pass', async () => {
    const workspace = await service.workspace();
    const id = await watchingAgent(workspace, 'vicuna');
    await service.drain();
    const found = await service.post('ana', 'vicuna', service.daysAgo(2));
    const held = gate.holdAfter(0);
    const draining = service.drain();
    await held;
    expect((await workspace.launch(id, { lookback_days: 1 })).status).toBe(202);
    gate.release();
    await draining;
    await service.drain();
    await service.advance('PT20S');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([found]);
  });

  it('LIV-03 find after a launch the rest of the live pass that it stopped', async () => {
    const workspace = await service.workspace();
    const id = await watchingAgent(workspace, 'wombat');
    await service.drain();
    const names = Array.from({ length: 51 }, (_, index) => `wombat-${index}`);
    await service.ingest(names.map((name) => observedPost(name, 'ana', 'wombat', service.daysAgo(2))));
    // The first read checks whether something is found, the second is that of the run: a batch of 50.
    const held = gate.holdAfter(1);
    const draining = service.drain();
    await held;
    expect((await workspace.launch(id, { lookback_days: 1 })).status).toBe(202);
    gate.release();
    await draining;
    await service.drain();
    expect(await workspace.detections()).toHaveLength(50);
    await service.advance('PT20S');
    await service.drain();
    expect(postNames(await workspace.detections())).toEqual([...names].sort());
    expect(await workspace.movements()).toHaveLength(51);
  });

  it('LIV-04 are no previous pass for the daily one, which finds the rest once', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'moose');
    const live = await service.post('ana', 'moose');
    await service.drain();
    // The author becomes known later; there is no arrival of the post for that.
    const late = await service.post('newcomer', 'moose');
    await service.drain();
    await service.ingest([observedPerson('newcomer', employed('acme', 'CTO'))]);
    await service.advance('P1D');
    expect(postNames(await workspace.detections())).toEqual([live, late].sort());
    expect(await workspace.movements()).toHaveLength(2);
    const [daily] = await runsOf(workspace);
    expect(daily).toMatchObject({ trigger: 'monitoring', matches_found: 1, lookback_days: 4 });
  });

  it('LIV-05 are one row per day in the list of runs, with the sums of all', async () => {
    const workspace = await service.workspace();
    await watchingAgent(workspace, 'okapi');
    for (let pass = 0; pass < 3; pass += 1) {
      await service.post('ana', 'okapi');
      await service.drain();
      await service.advance('PT30S');
    }
    const runs = await runsOf(workspace);
    expect(runs).toMatchObject([{ stage: 'completed', matches_found: 3, credits_spent: 30 }]);
    const shown = runs[0].signal_request_id;
    expect((await workspace.poll(shown)).body).toEqual(runs[0]);
    expect(await workspace.detections({ signal_run_id: shown })).toHaveLength(3);
    const movements = await workspace.movements();
    const ofRun = await workspace.call(`GET /api/v3/credits/movements?signal_run_id=${shown}`);
    const named = movements.map(({ id }: { readonly id: number }) => [id, shown]);
    expect(ofRun.body.data.map(({ id, cause }: Answer['body']) => [id, cause.run_id])).toEqual(named);
    const ops = await service.command('ledger.movements', { workspace_id: workspace.id, run_id: shown });
    expect(ops.movements).toHaveLength(3);
    for (const { id } of movements) {
      const { origin } = await workspace.data(`GET /api/v3/credits/movements/${id}`);
      expect(origin.run).toMatchObject({ id: shown });
    }
    await service.advance('P1D');
    await service.post('ana', 'okapi');
    await service.drain();
    expect(await runsOf(workspace)).toHaveLength(3);
  });
});
