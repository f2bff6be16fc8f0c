import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { readObservation } from '#network/read-observation.js';
import { addSource, source } from '#sources/domain/source.js';
import type { SourceEvents } from '#sources/domain/source.events.js';
import { expectDetection, NO_DETAILS } from '#test/support/expected-answers.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';

const NOW = '2026-01-05T10:00:00.000Z';

const posting = (name: string, company: string | null, facts: object = {}): object => ({
  kind: 'job_posting',
  ref: `job:${name}`,
  company_ref: company && `c:${company}`,
  title: 'CRM admin',
  location: 'Paris',
  url: `https://www.network.example/jobs/${name}`,
  posted_at: '2026-01-03T09:00:00Z',
  ...facts,
});
/** The posting of that name as detections show it. */
const shownPosting = (name: string) => ({
  title: 'CRM admin',
  url: `https://www.network.example/jobs/${name}`,
  location: 'Paris',
  posted_at: '2026-01-03T09:00:00.000Z',
  company_name: 'Acme',
});

const BOARD: SourceEvents['SourceAdded'] = {
  sourceId: 7,
  kind: 'greenhouse',
  boardId: 'initech',
  name: 'Initech jobs',
  url: 'https://boards.greenhouse.io/initech',
  subject: { entity: 'company', by: 'handle', value: 'initech' },
  redactsContacts: true,
  isShared: false,
  baseUrl: null,
  match: null,
  mapping: null,
  terms: { url: 'https://terms.example', verdict: 'public', readOn: '2026-01-01' },
  addedAt: '2026-01-01T00:00:00.000Z',
};

const byName = (one: { readonly full_name: string }, other: { readonly full_name: string }): number =>
  one.full_name < other.full_name ? -1 : 1;

describe('signals about job postings', () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme', { name: 'Acme' }),
      observedCompany('globex', { name: 'Globex' }),
      observedPerson('ana', {
        first_name: 'Ana',
        headline: 'VP Sales at Acme',
        ...employed('acme', 'VP Sales'),
      }),
      posting('1', 'acme'),
      posting('2', 'acme', { title: 'Driver', location: 'Berlin' }),
      posting('3', 'globex', { title: 'Gardener', hiring_manager_ref: 'p:ana' }),
      posting('4', 'globex', { title: 'Gardener', hiring_manager_ref: 'p:nobody-known' }),
      posting('5', 'acme', {
        title: 'Migration lead',
        description: 'You move us to another CRM.',
        url: null,
        posted_at: '2026-01-02T09:00:00Z',
      }),
      posting('6', 'acme', {
        title: 'Administrator',
        description: 'After the migration, our CRM is yours.',
        posted_at: '2026-01-04T09:00:00Z',
      }),
    ],
  });

  /** The only detection of a setup, as both versions of the API show it. */
  async function onlyDetection(workspace: SceneWorkspace, setupId: number) {
    const rows = await workspace.detections({ agent_id: setupId });
    expect(rows).toHaveLength(1);
    const { body } = await workspace.call('POST /api/v3/signals/query', { signal_setup_id: setupId });
    expect(body.data).toHaveLength(1);
    return { v2: rows[0], v3: body.data[0] };
  }

  /** Runs a setup twice: the second run finds nothing and charges nothing. */
  async function onceAndNeverAgain(key: string, parameters: object, price: number) {
    const workspace = await service.workspace();
    const setupId = await workspace.setup(key, parameters);
    expect(await workspace.run(setupId)).toMatchObject({
      stage: 'completed',
      matches_found: 1,
      credits_spent: price,
    });
    const [first, balance] = [await onlyDetection(workspace, setupId), await workspace.balance()];
    expect((await workspace.movements()).map(({ status, credits }) => [status, credits])).toEqual([
      ['captured', price],
    ]);
    expect(await workspace.run(setupId)).toMatchObject({
      matches_found: 0,
      credits_spent: 0,
    });
    expect(await onlyDetection(workspace, setupId)).toEqual(first);
    expect(await workspace.balance()).toEqual(balance);
    return { workspace, setupId, ...first };
  }

  it('OP-42 new-job-posting finds a posting with a wanted title at a wanted place, with this exact payload, for 10 credits', async () => {
    const { setupId, v2, v3 } = await onceAndNeverAgain(
      'new-job-posting',
      { job_titles: ['CRM admin', 'driver'], locations: ['France'] },
      10,
    );
    expectDetection(v2, {
      signal_type: 'jobPosting',
      data: { job_posting: shownPosting('1'), keywords_found: null, hiring_manager: null },
      detected_at: NOW,
      signal_date: '2026-01-03T09:00:00.000Z',
      agent_id: setupId,
      source_url: 'https://www.network.example/jobs/1',
      excerpt: 'CRM admin',
      credits: 10,
    });
    expect(v3).toMatchObject({
      signal_template_key: 'new-job-posting',
      lead: null,
      company: { id: v2.company_id, name: 'Acme' },
    });
    expect(v3.details).toEqual({
      ...NO_DETAILS,
      job_title: 'CRM admin',
      action_date: '2026-01-03T09:00:00.000Z',
    });
  });

  it('OP-42 D-34 hiring-manager-identified finds the hiring manager, who may work elsewhere, with this exact payload, for 40 credits', async () => {
    const { workspace, setupId, v2, v3 } = await onceAndNeverAgain(
      'hiring-manager-identified',
      { job_titles: ['gardener'] },
      40,
    );
    const manager = {
      full_name: 'Ana Roy',
      headline: 'VP Sales at Acme',
      network_url: 'https://www.network.example/in/ana',
    };
    expectDetection(v2, {
      signal_type: 'jobPostingHiringManager',
      data: {
        job_posting: { ...shownPosting('3'), title: 'Gardener', company_name: 'Globex' },
        keywords_found: null,
        hiring_manager: manager,
      },
      detected_at: NOW,
      signal_date: '2026-01-03T09:00:00.000Z',
      lead_id: expect.any(Number),
      agent_id: setupId,
      source_url: 'https://www.network.example/jobs/3',
      excerpt: 'Gardener',
      credits: 40,
    });
    expect(v3.details).toEqual({
      ...NO_DETAILS,
      job_title: 'Gardener',
      action_date: '2026-01-03T09:00:00.000Z',
    });
    expect(v3.lead).toMatchObject({ id: v2.lead_id, full_name: 'Ana Roy' });
    // The posting is of Globex, the manager works for Acme.
    expect(v3.company).toMatchObject({ id: v2.company_id, name: 'Globex' });
    expect(await workspace.data(`GET /api/v2/leads/${v2.lead_id}`)).toMatchObject({
      network_url: manager.network_url,
      company: { name: 'Acme' },
    });
  });

  it('OP-42 D-36 D-37 job-posting-insight finds a company that hires for a topic, with this exact payload, for 20 credits', async () => {
    const { setupId, v2, v3 } = await onceAndNeverAgain(
      'job-posting-insight',
      { topic: 'CRM migration' },
      20,
    );
    expectDetection(v2, {
      signal_type: 'jobPostingInsight',
      data: {
        topic: 'CRM migration',
        job_postings: [
          { title: 'Administrator', url: 'https://www.network.example/jobs/6' },
          { title: 'Migration lead', url: null },
        ],
        summary: '2 postings of Acme are about CRM migration',
      },
      detected_at: NOW,
      signal_date: '2026-01-04T09:00:00.000Z',
      agent_id: setupId,
      source_url: 'https://www.network.example/jobs/6',
      excerpt: 'Administrator\nAfter the migration, our CRM is yours.',
      credits: 20,
    });
    expect(v3).toMatchObject({ lead: null, company: { id: v2.company_id, name: 'Acme' } });
    expect(v3.details).toEqual({ ...NO_DETAILS, action_date: '2026-01-04T09:00:00.000Z' });
  });

  it('D-37 min_postings: one posting is an insight if one is enough, three are none if four are required', async () => {
    const workspace = await service.workspace();
    const found = async (parameters: object): Promise<number> => {
      const sent = { topic: 'gardener, CRM', ...parameters };
      return (await workspace.run(await workspace.setup('job-posting-insight', sent))).matches_found;
    };
    expect(await found({})).toBe(2);
    expect(await found({ min_postings: 3 })).toBe(1);
    expect(await found({ min_postings: 4 })).toBe(0);
  });

  it('SRC-08 include people without a handle: with their names, and no address', async () => {
    await service.ingest([
      observedCompany('hooli', { name: 'Hooli' }),
      { kind: 'person', ref: 'crm:7', first_name: 'Cy', last_name: 'Low', headline: 'Head of Ovens' },
      { kind: 'person', ref: 'crm:8', first_name: 'Di', last_name: 'Low', headline: 'Head of Ovens' },
      posting('9', 'hooli', { title: 'Ovenist', hiring_manager_ref: 'crm:7' }),
      posting('10', 'hooli', { title: 'Ovenist', hiring_manager_ref: 'crm:8' }),
    ]);
    const workspace = await service.workspace();
    const setupId = await workspace.setup('hiring-manager-identified', { job_titles: ['ovenist'] });
    expect(await workspace.run(setupId)).toMatchObject({ matches_found: 2 });
    const rows = await workspace.detections({ agent_id: setupId });
    expect(rows.map(({ data }) => data.hiring_manager).sort(byName)).toEqual([
      { full_name: 'Cy Low', headline: 'Head of Ovens', network_url: null },
      { full_name: 'Di Low', headline: 'Head of Ovens', network_url: null },
    ]);
    const leads = await Promise.all(
      rows.map(({ lead_id }) => workspace.data(`GET /api/v2/leads/${lead_id}`)),
    );
    expect(leads.map(({ first_name }) => first_name).sort()).toEqual(['Cy', 'Di']);
    for (const lead of leads) expect(lead).toMatchObject({ network_url: null, network_handle: null });
  });

  it('SRC-07 SIG-03 name the sources of the judged revision, in both versions, the latest signal and the trail', async () => {
    const { commands, network } = service.service.host;
    const context = {
      commandId: 'source-7',
      actor: { kind: 'system', id: 'test' },
      workspaceId: null,
      correlationId: 'source-7',
    } as const;
    await commands.handle(source, '7', addSource(BOARD), { context });
    const show = async (readAt: string, requestedAtMs: number, ...postings: readonly object[]) => {
      const shown = { sourceId: '7', readAtMs: Date.parse(readAt), isFirst: true };
      const sightings = postings.map((line) => readObservation({ ...line, rev: 'auto' }, requestedAtMs));
      await network.write(
        sightings.map(({ notes: _notes, ...sighting }) => ({ ...sighting, source: shown })),
      );
    };
    const [first, second] = ['2026-01-04T06:00:00.000Z', '2026-01-04T12:00:00.000Z'];
    const baker = posting('7', 'initech', { title: 'Baker', description: 'Sourdough migration' });
    const miller = posting('8', 'initech', { title: 'Miller', description: 'Sourdough migration too' });
    await service.ingest([observedCompany('initech', { name: 'Initech' })]);
    await show(first, 1, baker, miller);
    await show(second, 2, { ...baker, title: 'Head baker' }, miller);
    const reading = (read_at: string) => ({
      kind: 'greenhouse',
      name: 'Initech jobs',
      url: 'https://boards.greenhouse.io/initech',
      read_at,
    });

    const workspace = await service.workspace();
    const setupId = await workspace.setup('new-job-posting', { job_titles: ['baker'], locations: [] });
    await workspace.run(setupId);
    const { v2, v3 } = await onlyDetection(workspace, setupId);
    expect([v2.provenance, v3.provenance]).toEqual([[reading(second)], [reading(second)]]);
    const stats = await workspace.data(`GET /api/v3/signal-setups/${setupId}/stats`);
    expect(stats.latest_signal.provenance).toEqual([reading(second)]);
    const trail = await workspace.data(`GET /api/v3/credits/movements/${v2.movement_id}`);
    expect(trail.origin.signal.provenance).toEqual([reading(second)]);

    const insight = await workspace.setup('job-posting-insight', { topic: 'Sourdough migration' });
    await workspace.run(insight);
    const { v2: later } = await onlyDetection(workspace, insight);
    expect(later.provenance).toEqual([reading(first), reading(second)]);
  });
});
