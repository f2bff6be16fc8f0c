import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const inFrance = { geo: { country: 'France' } };
const inJapan = { geo: { country: 'Japan' } };
/** Two match the persona, one of them at a covered account; two do not. */
const NETWORK = [
  ...['acme', 'globex'].map((handle) => observedCompany(handle)),
  observedPerson('ana', { ...employed('acme', 'VP Sales'), ...inFrance }),
  observedPerson('bo', { ...employed('globex', 'VP Sales'), ...inFrance }),
  observedPerson('cy', { ...employed('globex', 'VP Sales'), ...inJapan }),
  ...['ana', 'bo', 'cy'].map((name) => observedPost(name, name, 'Our crm', '2026-05-31T09:00:00Z')),
];

// The effects of changes on a running run and on later ones (docs/rules/detectors.md).
describe('a change during a run', () => {
  let covered: readonly string[] = [];
  /** While it is set, look-ups of coverage wait, so that runs stand still. */
  let gate: Promise<void> | null = null;

  const coverage = {
    coveredAccounts: async () => {
      await gate;
      return covered;
    },
  };
  const service = scene({
    at: NOW,
    settings: { MONITORING_PASS: 'on' },
    outside: { coverage },
    network: NETWORK,
  });
  afterEach(() => {
    covered = [];
  });

  async function fresh(): Promise<{ workspace: SceneWorkspace; personaId: number }> {
    const workspace = await service.workspace();
    return { workspace, personaId: await workspace.persona({ job_title: ['sales'], location: ['France'] }) };
  }

  /** Launches, calls `work` while the run stands still, lets it continue, and returns the ended run. */
  async function meanwhile(
    workspace: SceneWorkspace,
    setupId: number,
    work: () => Promise<unknown>,
  ): Promise<Answer['body']> {
    let goOn = (): void => undefined;
    gate = new Promise<void>((resolve) => (goOn = resolve));
    try {
      const launched = await workspace.launch(setupId);
      expect(launched.status).toBe(202);
      const runId = launched.body[0].signal_request_id;
      await work();
      expect((await workspace.poll(runId)).body.stage).toBe('running');
      goOn();
      gate = null;
      await service.drain();
      return (await workspace.poll(runId)).body;
    } finally {
      goOn();
      gate = null;
    }
  }
  const found = async (workspace: SceneWorkspace): Promise<readonly string[]> =>
    (await workspace.detections()).map((row) => row.data.author.full_name).sort();
  const keywordSetup = (workspace: SceneWorkspace): Promise<number> =>
    workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });

  it('D-16 D-18 persona archived: the run still ranks by it; the next one too, and no account is covered', async () => {
    const { workspace, personaId } = await fresh();
    covered = ['c:acme'];
    const archive = { workspace_id: workspace.id, persona_id: personaId, archived: true };
    const run = await meanwhile(workspace, await keywordSetup(workspace), () =>
      service.ops('persona.archive', archive),
    );
    // ana is about a covered account, cy does not match the persona: bo is paid for.
    expect(run).toMatchObject({ stage: 'completed', matches_found: 3, credits_spent: 10 });

    const other = await fresh();
    const setupId = await keywordSetup(other.workspace);
    await service.command('persona.archive', {
      ...archive,
      workspace_id: other.workspace.id,
      persona_id: other.personaId,
    });
    expect(await other.workspace.run(setupId)).toMatchObject({
      matches_found: 3,
      credits_spent: 20,
    });
  });

  it('D-14 D-33 list deleted: the run uses it as launched; the next launch is 400', async () => {
    const { workspace } = await fresh();
    const list = await workspace.list('prospect', ['globex']);
    const setupId = await workspace.setup('prospect-list-keyword-mentions', {
      list_id: list.id,
      tracking_keywords: ['crm'],
    });
    const run = await meanwhile(workspace, setupId, async () => {
      expect((await workspace.call(`DELETE /api/v2/${list.path}`)).status).toBeLessThan(300);
    });
    // An employee of a listed company has top priority, for any persona.
    expect(run).toMatchObject({ stage: 'completed', matches_found: 2, credits_spent: 20 });
    expect(await found(workspace)).toEqual(['bo Roy', 'cy Roy']);
    expect((await workspace.launch(setupId)).status).toBe(400);
  });

  it('SETUP-61 template retired: the run continues, and its setups still run and can be changed', async () => {
    const { workspace } = await fresh();
    const setupId = await keywordSetup(workspace);
    const retire = (retired: boolean) => service.ops('catalogue.status', { key: KEYWORD_TEMPLATE, retired });
    try {
      const run = await meanwhile(workspace, setupId, () => retire(true));
      expect(run).toMatchObject({ stage: 'completed', matches_found: 3, credits_spent: 20 });
      const changed = await workspace.call(`PATCH /api/v3/signal-setups/${setupId}`, {
        parameters: { tracking_keywords: ['crm', 'our'] },
      });
      expect(changed.status).toBe(200);
      expect(await workspace.run(setupId)).toMatchObject({
        stage: 'completed',
        matches_found: 0,
      });
      const templateId = (await templateIdsOf(workspace)).get(KEYWORD_TEMPLATE);
      expect(templateId).toBeUndefined();
    } finally {
      await retire(false);
    }
  });

  it('parameters and price changed: the run continues as launched, the next one uses the new ones', async () => {
    const { workspace } = await fresh();
    const setupId = await keywordSetup(workspace);
    const item = `discovery:${KEYWORD_TEMPLATE}`;
    try {
      const run = await meanwhile(workspace, setupId, async () => {
        await workspace.data(`PATCH /api/v3/signal-setups/${setupId}`, {
          parameters: { tracking_keywords: ['llama'] },
        });
        expect((await service.ops('prices.set', { item, credits: 15 })).status).toBe(200);
      });
      expect(run).toMatchObject({ matches_found: 3, credits_spent: 20 });
      await service.ingest([observedPost('new', 'bo', 'A llama', '2026-05-31T09:00:00Z')]);
      expect(await workspace.run(setupId)).toMatchObject({
        matches_found: 1,
        credits_spent: 15,
      });
    } finally {
      await service.command('prices.set', { item, credits: 10 });
    }
  });

  it('D-33 D-38 a kind of signal without a detector can be set up, is 400 at launch, and is skipped by schedule and pass', async () => {
    const { buckets, templates } = shippedCatalogue();
    const [model] = templates.filter(({ key }) => key === KEYWORD_TEMPLATE);
    const unknown = {
      ...model,
      key: 'thoughts-read',
      name: 'Thoughts',
      detector: { ...model?.detector, kind: 'telepathy' },
    };
    const synced = await service.ops('catalogue.sync', {
      catalogue: { buckets, templates: [...templates, unknown] },
    });
    expect(synced.status).toBe(200);
    const { workspace } = await fresh();
    const templateId = (await templateIdsOf(workspace)).get('thoughts-read');
    const created = await workspace.call('POST /api/v3/signal-setups', {
      signal_template_id: templateId,
      parameters: { tracking_keywords: ['crm'] },
      schedule: { cadence: 'weekly' },
    });
    expect(created.status).toBe(201);
    const launched = await workspace.launch(created.body.data.id);
    expect([launched.status, launched.body.detail]).toEqual([400, 'This kind of signal cannot be run yet.']);

    covered = ['c:acme'];
    await service.advance('P8D');
    await service.drain();
    const events = await service.stream(`setup-${workspace.id}_${created.body.data.id}`);
    const types = events.map(({ type }) => type);
    expect(types).toContain('SignalSetupCreated');
    expect(types).toContain('ScheduleTicked');
    expect(types).not.toContain('RunLaunched');
    expect(await workspace.detections()).toEqual([]);
  });
});
