import {
  IN_FRANCE,
  employed,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const ADD = 'POST /api/v2/top-account-list/accounts';
const REQUESTS = 'GET /api/v2/content-requests';
const MAPPINGS = 'GET /api/v2/company-mappings';
const STAGES = [
  'account_mapping_ready',
  'account_mapping_failed',
  'completed',
  'top_account_content_scraping_ready',
  'top_account_content_failed',
] as const;

const worksAt = (company: string, name: string, title: string): object =>
  observedPerson(name, { ...employed(company, title), ...IN_FRANCE });

/** The result of a request: completed, the reason of its failure, or the stage in which it waits. */
type EndedRequest = { readonly id: number; readonly type: string; readonly end: string };

describe('the pipelines of top accounts', () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme', { name: 'Acme' }),
      worksAt('acme', 'ana', 'VP Sales'),
      worksAt('acme', 'bo', 'Head of Sales'),
      worksAt('acme', 'cy', 'Accountant'),
      observedPost('one', 'ana', 'hello', '2026-05-31T09:00:00Z'),
      observedPost('old', 'ana', 'hello', '2026-01-31T09:00:00Z'),
      observedCompany('globex'),
      worksAt('globex', 'gil', 'VP Sales'),
      observedCompany('empty'),
    ],
  });

  async function selling(options: object = {}): Promise<SceneWorkspace> {
    const workspace = await service.workspace(options);
    await workspace.persona({ job_title: ['Sales'], location: ['France'] });
    return workspace;
  }
  const add = async (workspace: SceneWorkspace, ...handles: readonly string[]): Promise<void> => {
    const accounts = handles.map((handle) =>
      handle.includes('.')
        ? { domain: handle }
        : { network_url: `https://www.network.example/company/${handle}` },
    );
    expect((await workspace.call(ADD, { accounts })).status).toBe(202);
    await service.drain();
  };

  /** The requests of a company, newest first. */
  async function requestsOf(workspace: SceneWorkspace, handle?: string): Promise<readonly EndedRequest[]> {
    const stages = STAGES.map((stage) => `stage=${stage}`).join('&');
    const of =
      handle === undefined ? '' : `&company_${handle.includes('.') ? 'domain' : 'network_handle'}=${handle}`;
    const { status, body } = await workspace.call(`${REQUESTS}?page_size=100&${stages}${of}`);
    expect([status, body.title]).toEqual([200, undefined]);
    return body.data.map(({ id, type, stage, failed_reason }: Answer['body']) => ({
      id,
      type: type === 'account_mapping' ? 'mapping' : 'content',
      end: failed_reason ?? stage,
    }));
  }
  const ends = (requests: readonly EndedRequest[]): readonly string[] =>
    requests.map(({ type, end }) => `${type} ${end}`).sort();
  const statusOf = (workspace: SceneWorkspace): Promise<Answer['body']> =>
    workspace.data('GET /api/v2/top-account-list/ingestion-status');
  /** First names of the mapped people. */
  const mappedBy = async (workspace: SceneWorkspace, id: number): Promise<readonly string[]> =>
    (await workspace.data(`${MAPPINGS}/${id}`)).profiles
      .map(({ first_name }: Answer['body']) => first_name)
      .sort();

  it('TAL-16 OP-52 OP-59 maps an account for one credit and one per profile, and reads its content for free', async () => {
    const workspace = await selling();
    await add(workspace, 'acme');
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(await workspace.balance()).toMatchObject({ balance: 997, held: 0, captured: 3 });
    expect(
      (await workspace.movements()).map(({ product, credits, status }) => [product, credits, status]).sort(),
    ).toEqual([
      ['account_mapping', 1, 'captured'],
      ['profile_analysis', 1, 'captured'],
      ['profile_analysis', 1, 'captured'],
    ]);
    const mappings = await workspace.data(MAPPINGS);
    expect(mappings).toEqual([
      {
        id: expect.any(Number),
        request_date: '2026-06-01',
        version: 1,
        status: 'complete',
        company: { id: expect.any(Number), name: 'Acme', domain: 'acme.com' },
        persona_id: null,
      },
    ]);
    expect(await mappedBy(workspace, mappings[0].id)).toEqual(['ana', 'bo']);
    expect(await statusOf(workspace)).toMatchObject({
      status: 'idle',
      pending: 0,
      found: 1,
      mapping_in_progress: 0,
    });
    // Mapped people add no location: only leads of signals do.
    expect(await workspace.data('GET /api/v2/workspace-leads/locations')).toEqual({
      countries: [],
      cities: [],
    });
  });

  it('SUP-22 OP-59 is one mapping for all personas: of people who match at least one of them', async () => {
    const workspace = await selling();
    await workspace.persona({ job_title: ['Accountant'], location: ['France'] });
    await add(workspace, 'acme');
    const mappings = await workspace.data(MAPPINGS);
    expect(mappings).toMatchObject([{ persona_id: null }]);
    expect(await mappedBy(workspace, mappings[0].id)).toEqual(['ana', 'bo', 'cy']);
  });

  it('OP-58 CR-03 shows how each ends without people to map', async () => {
    const workspace = await selling();
    await add(workspace, 'empty', 'nobody-told-us', 'stub.example');
    expect(ends(await requestsOf(workspace, 'empty'))).toEqual([
      'content completed',
      'mapping no_employee_resolved',
    ]);
    expect(ends(await requestsOf(workspace, 'nobody-told-us'))).toEqual([
      'content completed',
      'mapping no_employee_resolved',
    ]);
    expect(ends(await requestsOf(workspace, 'stub.example'))).toEqual([
      'content missing_network_target',
      'mapping missing_network_target',
    ]);
    expect(await workspace.balance()).toMatchObject({ balance: 1000, held: 0, captured: 0 });
    expect(await workspace.movements()).toEqual([]);
    const untitled = await service.workspace();
    await untitled.persona({ location: ['France'] });
    await add(untitled, 'acme');
    expect(ends(await requestsOf(untitled, 'acme'))).toEqual([
      'content completed',
      'mapping persona_without_job_titles',
    ]);
  });

  it('TAL-17 OP-53 pauses if the credits do not cover a whole account, and continues in order after a grant', async () => {
    const workspace = await selling({ credits: 2 });
    await add(workspace, 'acme', 'globex');
    const waiting = ['content top_account_content_scraping_ready', 'mapping account_mapping_ready'];
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(waiting);
    expect(ends(await requestsOf(workspace, 'globex'))).toEqual(waiting);
    expect(await workspace.movements()).toEqual([]);
    expect(await statusOf(workspace)).toMatchObject({
      status: 'paused',
      pending: 2,
      found: 2,
      mapping_in_progress: 0,
      paused_reason: 'insufficient_credits',
      credits_required: 3,
      credits_available: 2,
    });
    await workspace.command('credits.grant', { credits: 1, reason: 'top-up' });
    await service.drain();
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(ends(await requestsOf(workspace, 'globex'))).toEqual(waiting);
    expect(await statusOf(workspace)).toMatchObject({
      status: 'paused',
      pending: 1,
      credits_required: 2,
      credits_available: 0,
    });
    await workspace.command('credits.adjust', { credits: 2, reason: 'goodwill' });
    await service.drain();
    expect(ends(await requestsOf(workspace, 'globex'))).toEqual(['content completed', 'mapping completed']);
    expect(await workspace.balance()).toMatchObject({ balance: 0, held: 0, captured: 5 });
    expect(await statusOf(workspace)).toMatchObject({
      status: 'idle',
      paused_reason: null,
      credits_required: null,
    });
  });

  it('TAL-17 CAP-03 pauses at a cap, and continues at once when it is raised or removed', async () => {
    const workspace = await selling({ credits: 100 });
    const cap = { scope: 'workspace', period: 'month', limit: 2 };
    const { id } = await workspace.data('POST /api/v3/credits/caps', cap);
    const path = `/api/v3/credits/caps/${id}`;
    await add(workspace, 'acme', 'globex');
    expect(await statusOf(workspace)).toMatchObject({
      status: 'paused',
      pending: 2,
      paused_reason: 'cap',
      credits_required: 3,
      credits_available: 100,
    });
    expect(await workspace.movements()).toEqual([]);
    await workspace.call(`PUT ${path}`, { ...cap, limit: 3 });
    await service.drain();
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(await statusOf(workspace)).toMatchObject({ status: 'paused', pending: 1 });
    await workspace.call(`DELETE ${path}`);
    await service.drain();
    expect(ends(await requestsOf(workspace, 'globex'))).toEqual(['content completed', 'mapping completed']);
    expect(await statusOf(workspace)).toMatchObject({ status: 'idle', pending: 0, paused_reason: null });
  });

  it('TAL-17 retries every hour, for any length of the pause', async () => {
    const workspace = await selling({ credits: 2 });
    const hold = { workspace_id: workspace.id, key: 'elsewhere', credits: 1, product: 'other' };
    await workspace.command('credits.grant', { credits: 1, reason: 'for elsewhere' });
    await service.command('credits.hold', hold);
    await add(workspace, 'acme');
    expect(await statusOf(workspace)).toMatchObject({
      status: 'paused',
      credits_required: 3,
      credits_available: 2,
    });
    await service.advance('PT7H');
    expect(await statusOf(workspace)).toMatchObject({ status: 'paused', pending: 1 });
    await workspace.command('credits.release', { key: 'elsewhere' });
    await service.drain();
    expect(await statusOf(workspace)).toMatchObject({ status: 'paused' });
    await service.advance('PT1H');
    expect(await statusOf(workspace)).toMatchObject({ status: 'idle', pending: 0 });
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(['content completed', 'mapping completed']);
  });

  it('OP-52 makes no mapping request without the feature, and makes missing ones once it is on', async () => {
    const workspace = await selling({ account_mapping: false });
    await add(workspace, 'acme', 'globex');
    expect(ends(await requestsOf(workspace))).toEqual(['content completed', 'content completed']);
    expect(await workspace.balance()).toMatchObject({ balance: 1000 });
    await workspace.command('workspace.features', { account_mapping: true });
    await service.drain();
    expect(ends(await requestsOf(workspace))).toEqual([
      'content completed',
      'content completed',
      'mapping completed',
      'mapping completed',
    ]);
    await workspace.command('workspace.features', { account_mapping: false });
    await workspace.command('workspace.features', { account_mapping: true });
    await service.drain();
    expect(await requestsOf(workspace)).toHaveLength(4);
  });

  it('CO-04 OP-62 does not run a pipeline that is disabled for the company', async () => {
    const workspace = await selling({ credits: undefined });
    await add(workspace, 'acme');
    const [{ company_id }] = await workspace.data('GET /api/v2/top-account-list/accounts');
    const configure = (configuration: string) =>
      workspace.call(`PUT /api/v2/companies/${company_id}/pipeline-configs`, {
        pipeline_configs: [{ pipeline_type: 'account_mapping', configuration }],
      });
    await configure('disabled');
    await workspace.command('credits.grant', { credits: 10, reason: 'top-up' });
    await service.drain();
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual([
      'content completed',
      'mapping account_mapping_ready',
    ]);
    expect(await workspace.balance()).toMatchObject({ balance: 10 });
    expect(await statusOf(workspace)).toMatchObject({ status: 'idle', pending: 1 });
    await configure('default');
    await service.drain();
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(await workspace.balance()).toMatchObject({ balance: 7 });
  });

  it('OP-52 waits while the workspace is blocked, without charge, retry or time-out', async () => {
    const workspace = await selling({ credits: undefined });
    await add(workspace, 'acme');
    const terms = { workspace_id: workspace.id, reason: 'unpaid' };
    await service.command('workspace.block', terms);
    await workspace.command('credits.grant', { credits: 10, reason: 'top-up' });
    await service.advance('PT30H');
    expect(await workspace.balance()).toMatchObject({ balance: 10, captured: 0 });
    await service.command('workspace.unblock', terms);
    await service.drain();
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(await workspace.balance()).toMatchObject({ balance: 7 });
  });

  it('OP-25 charges an exempt workspace nothing, and a partner the price', async () => {
    const exempt = await selling({ billing: 'exempt', credits: undefined });
    await add(exempt, 'acme');
    expect(ends(await requestsOf(exempt, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(await exempt.movements()).toEqual([]);
    const { body: partner } = await service.ops('partner.create', { name: 'Reseller' });
    const paid = await selling({ billing: 'partner', partner_id: partner.partner_id, credits: undefined });
    await add(paid, 'acme');
    expect(ends(await requestsOf(paid, 'acme'))).toEqual(['content completed', 'mapping completed']);
    expect(await paid.movements()).toHaveLength(3);
    expect(await paid.balance()).toMatchObject({ balance: 0, captured: 0 });
  });

  it('OP-52 repeats a failed request when the account is submitted again, and never a completed one', async () => {
    const workspace = await selling();
    await add(workspace, 'later', 'acme');
    expect(ends(await requestsOf(workspace, 'later'))).toEqual([
      'content completed',
      'mapping no_employee_resolved',
    ]);
    await service.ingest([observedCompany('later'), worksAt('later', 'lea', 'VP Sales')]);
    await add(workspace, 'later', 'acme');
    expect(ends(await requestsOf(workspace, 'later'))).toEqual([
      'content completed',
      'mapping completed',
      'mapping no_employee_resolved',
    ]);
    expect(await requestsOf(workspace, 'acme')).toHaveLength(2);
    const accounts = await workspace.data('GET /api/v2/top-account-list/accounts');
    const acme = accounts.find(({ company }: Answer['body']) => company.network_handle === 'acme');
    await workspace.command('topaccount.remove', { account_id: acme.id });
    await add(workspace, 'acme');
    expect(await requestsOf(workspace, 'acme')).toHaveLength(2);
  });

  it('OP-52 repeats a failed request once the network has learned the missing facts, the next day at the earliest', async () => {
    const workspace = await selling();
    await add(workspace, 'young', 'young.example', 'acme');
    const failed = ['content completed', 'mapping no_employee_resolved'];
    expect(ends(await requestsOf(workspace, 'young'))).toEqual(failed);
    await service.ingest([
      observedCompany('young'),
      worksAt('young', 'yve', 'VP Sales'),
      observedCompany('stub', { domains: ['young.example'] }),
    ]);
    await service.drain();
    expect(ends(await requestsOf(workspace, 'young'))).toEqual(failed);
    await service.advance('P1D');
    expect(ends(await requestsOf(workspace, 'young'))).toEqual([
      'content completed',
      'mapping completed',
      failed[1],
    ]);
    // Its page is known now, but still no employee.
    expect(ends(await requestsOf(workspace, 'young.example'))).toEqual([
      'content completed',
      'content missing_network_target',
      'mapping missing_network_target',
    ]);
    await service.advance('P1D');
    expect(await requestsOf(workspace, 'acme')).toHaveLength(2);
    expect(await requestsOf(workspace, 'young')).toHaveLength(3);
  });

  it.each([
    { handle: 'trio', names: ['trio.example', 'trio.test', 'trio'], enriched: null },
    { handle: 'duet', names: ['duet.example', 'duet.test'], enriched: 'duet' },
  ])('OP-52 maps one account, if $names turn out to be one company later', async (example) => {
    const { handle, names, enriched } = example;
    const workspace = await selling();
    if (enriched !== null)
      await workspace.data('POST /api/v2/enrich-company-mapping', { network_handle: enriched });
    await service.drain();
    await add(workspace, ...names);
    await service.ingest([
      observedCompany(handle, { domains: [`${handle}.example`, `${handle}.test`] }),
      worksAt(handle, `tess-${handle}`, 'VP Sales'),
    ]);
    for (let day = 0; day < 3; day += 1) {
      await service.advance('P1D');
      await service.drain();
    }
    const failed = (await requestsOf(workspace)).filter(({ end }) => end === 'missing_network_target');
    // Those that are the newest of their kind are made again, and fail again.
    for (const { id } of failed)
      await service.ops('contentrequest.retry', { workspace_id: workspace.id, request_id: id });
    await service.drain();
    const completed = ends(await requestsOf(workspace)).filter((end) => end === 'mapping completed');
    expect([failed.length, completed]).toEqual([4, ['mapping completed']]);
    const captured = (await workspace.movements()).filter(({ status }) => status === 'captured');
    expect(captured.map(({ product }) => product)).toEqual(['profile_analysis', 'account_mapping']);
  });

  it('OP-52 repeats a mapping that found nobody once a changed persona matches somebody, the next day at the earliest', async () => {
    const workspace = await service.workspace();
    const personaId = await workspace.persona({ job_title: ['Dentist'], location: ['France'] });
    await add(workspace, 'acme');
    const failed = ['content completed', 'mapping no_employee_resolved'];
    await service.advance('P1D');
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(failed);
    await workspace.data(`PATCH /api/v2/personas/${personaId}`, { job_title: ['Accountant'] });
    await service.drain();
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual(failed);
    expect(await workspace.movements()).toHaveLength(0);
    await service.advance('P1D');
    expect(ends(await requestsOf(workspace, 'acme'))).toEqual([
      'content completed',
      'mapping completed',
      failed[1],
    ]);
    expect(await workspace.movements()).toHaveLength(2);
  });

  it('OP-59 does not charge a profile twice on one day', async () => {
    const workspace = await selling();
    await workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'acme' });
    await service.drain();
    expect(await workspace.balance()).toMatchObject({ captured: 3 });
    await add(workspace, 'acme');
    expect(await workspace.balance()).toMatchObject({ captured: 4, held: 0 });
    const mappings = await workspace.data(MAPPINGS);
    expect(mappings.map(({ persona_id, status }: Answer['body']) => [persona_id === null, status])).toEqual([
      [true, 'complete'],
      [false, 'complete'],
    ]);
  });
});
