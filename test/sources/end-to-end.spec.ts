import { scene, sharedWorkspace } from '../support/scene.js';
import type { Answer } from '../support/service.js';
import { balanceOf, detectionsOf, movementsOf, seeRunThrough, signalSetup } from '../support/signal-runs.js';
import { startWebServer, type WebServer } from '../support/web-server.js';

type Job = { readonly id: number; readonly title: string; readonly on: string };

/** A job board of Greenhouse, as its provider documents it. */
const board = (jobs: readonly Job[]): string =>
  JSON.stringify({
    jobs: jobs.map(({ id, title, on }) => ({
      id,
      title,
      content: '&lt;p&gt;You look after our &lt;b&gt;CRM&lt;/b&gt;.&lt;/p&gt;',
      absolute_url: `https://boards.greenhouse.io/acme/jobs/${id}`,
      first_published: `${on}T09:00:00Z`,
      location: { name: 'Paris, France' },
    })),
    meta: { total: jobs.length },
  });

describe('sources, from an address to a paid signal', () => {
  const service = scene({
    at: '2026-01-05T10:00:00.000Z',
    settings: {
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      SOURCE_CONTACT: 'ops@acme.example',
    },
  });
  const workspace = sharedWorkspace(service);
  let provider: WebServer;
  let jobs: readonly Job[] = [{ id: 1, title: 'CRM admin', on: '2026-01-03' }];
  let jobsOfZed: readonly Job[] = [];
  let jobsOfNew: readonly Job[] = [];
  let jobsOfLater: readonly Job[] = [];
  let jobsOfSooner: readonly Job[] = [];

  beforeAll(async () => {
    provider = await startWebServer((request, response) => {
      const [, name = ''] = /^\/v1\/boards\/(\w+)\/jobs\?content=true$/.exec(request.url ?? '') ?? [];
      const listed = {
        acme: jobs,
        zed: jobsOfZed,
        newco: jobsOfNew,
        later: jobsOfLater,
        sooner: jobsOfSooner,
      }[name];
      response.writeHead(listed === undefined ? 404 : 200).end(listed && board(listed));
    });
  });
  afterAll(() => provider.close());

  const only = async (): Promise<Answer['body']> => (await service.ops('source.list')).body.sources[0];
  const poll = async (): Promise<Answer['body']> =>
    (await service.ops('source.poll', { source_id: (await only()).source_id })).body;
  const titles = async () =>
    (await detectionsOf(workspace)).map(({ data }) => data.job_posting.title).toSorted();

  it('SRC-02 SRC-05 SRC-07 a posting of a board is found, paid once, and never after the board has closed it', async () => {
    const added = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/acme/jobs/1',
      domain: 'acme.com',
      base_url: provider.origin,
    });
    expect(added).toMatchObject({
      status: 200,
      body: { source_id: 1, kind: 'greenhouse', board: 'acme', name: 'greenhouse acme.com' },
    });
    // The first poll comes without a request.
    while ((await only()).last_poll === null) await new Promise(setImmediate);
    expect(await only()).toMatchObject({ status: 'active', items: 1, new: 1, errors: 0, error: null });
    const setupId = await signalSetup(workspace, 'new-job-posting', { job_titles: ['CRM'], locations: [] });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ credits_spent: 10 });
    expect(await titles()).toEqual(['CRM admin']);
    const [{ provenance }] = await detectionsOf(workspace);
    expect(provenance).toEqual([
      {
        kind: 'greenhouse',
        name: 'greenhouse acme.com',
        url: 'https://boards.greenhouse.io/acme/jobs/1',
        read_at: '2026-01-05T10:00:00.000Z',
      },
    ]);

    // A week later the board has edited it and shows another one, dated before the last run.
    await service.setClock('2026-01-12T10:00:00.000Z');
    jobs = [
      { id: 1, title: 'CRM admin (all genders)', on: '2026-01-03' },
      { id: 2, title: 'CRM lead', on: '2026-01-04' },
    ];
    expect(await poll()).toMatchObject({ ok: true, items: 2, new: 1, changed: 1, closed: 0 });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ credits_spent: 10 });
    expect(await titles()).toEqual(['CRM admin', 'CRM lead']);

    // It closes both, and opens one that is closed again before the next poll.
    jobs = [{ id: 3, title: 'CRM trainee', on: '2026-01-12' }];
    expect(await poll()).toMatchObject({ items: 1, new: 1, closed: 2 });
    jobs = [{ id: 4, title: 'Gardener', on: '2026-01-12' }];
    expect(await poll()).toMatchObject({ items: 1, new: 1, closed: 1 });
    await service.setClock('2026-01-19T10:00:00.000Z');
    const balance = await balanceOf(workspace);
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ credits_spent: 0 });
    const fresh = await service.workspace();
    const other = await signalSetup(fresh, 'new-job-posting', { job_titles: ['CRM'], locations: [] });
    expect(await seeRunThrough(service, fresh, other)).toMatchObject({ matches_found: 0 });
    expect(await balanceOf(workspace)).toEqual(balance);
    expect((await movementsOf(workspace)).map(({ status, credits }) => [status, credits])).toEqual([
      ['captured', 10],
      ['captured', 10],
    ]);
  });

  it('SRC-07 provenance is in each row of CSV and NDJSON, of both versions', async () => {
    const source = { kind: 'greenhouse', name: 'greenhouse acme.com' };
    const streamed = async (route: string, accept: string): Promise<string> => {
      const [method = '', path = ''] = route.split(' ');
      const headers = {
        authorization: `Bearer ${workspace.apiKey}`,
        accept,
        'content-type': 'application/json',
      };
      return (await fetch(`${service.url}${path}`, { method, headers, body: '{}' })).text();
    };
    for (const route of ['POST /api/v2/workspace/signals/query', 'POST /api/v3/signals/query']) {
      const lines = (await streamed(route, 'application/x-ndjson')).trim().split('\n');
      const rows = lines.map((line) => JSON.parse(line));
      expect(rows).toHaveLength(2);
      for (const { provenance } of rows) expect(provenance).toEqual([expect.objectContaining(source)]);
      const text = await streamed(route, 'text/csv');
      const [header = '', ...cells] = text.trim().split('\r\n');
      expect(header.split(',')).toContain('provenance');
      expect(cells).toHaveLength(2);
      for (const row of cells)
        expect(row).toContain('""kind"":""greenhouse"",""name"":""greenhouse acme.com""');
    }
  });

  it('SRC-07 an account shows when a source about it was last read, and an account without a source shows none', async () => {
    const of = await service.workspace({ credits: 100 });
    await service.ingest([{ kind: 'company', ref: 'c:quiet', handle: 'quiet', domains: ['quiet.example'] }]);
    const accounts = [{ domain: 'acme.com' }, { domain: 'quiet.example' }];
    await of.call('POST /api/v2/personas', { job_title: ['Sales'], location: ['France'] });
    const submitted = await of.call('POST /api/v2/top-account-list/accounts', { accounts });
    expect(submitted).toMatchObject({ status: 202 });
    await service.drain();
    const shown = async (route: string) =>
      Object.fromEntries(
        (await of.call(route)).body.data.map(({ company, observed_at }: Answer['body']) => [
          company.domain,
          observed_at,
        ]),
      );
    const at = '2026-01-12T10:00:00.000Z';
    for (const route of ['GET /api/v2/top-account-list/accounts', 'GET /api/v3/top-account-list/accounts'])
      expect([route, await shown(route)]).toEqual([route, { 'acme.com': at, 'quiet.example': null }]);
    // Even a reading without changes moves the time.
    const later = '2026-01-20T08:00:00.000Z';
    await service.setClock(later);
    await poll();
    expect(await shown('GET /api/v3/top-account-list/accounts')).toMatchObject({ 'acme.com': later });
    const list = (await of.call('GET /api/v2/top-account-list/accounts')).body.data;
    for (const { company_id, company } of list) {
      const { body } = await of.call(`GET /api/v2/companies/${company_id}`);
      expect([company.domain, body.observed_at]).toEqual([
        company.domain,
        company.domain === 'acme.com' ? later : null,
      ]);
    }
  });

  it('SRC-04 an observed company replaces the one that a source made, whatever its revision, and stays', async () => {
    const of = await service.workspace({ credits: 1_000 });
    const postings = (count: number): readonly Job[] =>
      Array.from({ length: count }, (_, index) => ({
        id: index + 1,
        title: `CRM lead ${index + 1}`,
        on: '2026-01-19',
      }));
    jobsOfZed = postings(1);
    const added = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/zed',
      domain: 'zed.example',
      base_url: provider.origin,
      poll: true,
    });
    const { source_id } = added.body;
    const setupId = await signalSetup(of, 'new-job-posting', { job_titles: ['CRM lead'], locations: [] });
    const afterRun = async (count: number): Promise<Answer['body']> => {
      await seeRunThrough(service, of, setupId);
      const detections = await detectionsOf(of);
      const ids = new Set(detections.map(({ company_id }) => company_id));
      expect([count, detections.length, ids.size]).toEqual([count, count, 1]);
      return (await of.call(`GET /api/v2/companies/${[...ids].join()}`)).body;
    };
    expect(await afterRun(1)).toMatchObject({
      domain: 'zed.example',
      name: 'zed.example',
      network_handle: null,
    });
    await service.ingest([
      {
        kind: 'company',
        ref: 'c:zed',
        rev: 1,
        handle: 'zedcorp',
        domains: ['zed.example'],
        name: 'Zed Corp',
        employees: 55,
      },
    ]);
    for (const [count, updates] of [
      [2, 1],
      // Again there is nothing newer.
      [3, 0],
    ] as const) {
      await service.setClock(`2026-01-${20 + count}T10:00:00.000Z`);
      jobsOfZed = postings(count);
      expect((await service.ops('source.poll', { source_id })).body).toMatchObject({ ok: true, new: 1 });
      const events = await service.eventsOf(async () => {
        expect(await afterRun(count)).toMatchObject({
          name: 'Zed Corp',
          network_handle: 'zedcorp',
          number_of_employees: 55,
        });
      });
      expect([count, events.filter((type) => type === 'CompanyUpdated').length]).toEqual([count, updates]);
    }
    await service.ops('source.remove', { source_id });
  });

  it('D-37 SRC-04 an insight about a company that a source made is not paid again once the company is observed', async () => {
    const of = await service.workspace({ credits: 1_000 });
    jobsOfNew = [1, 2].map((id) => ({ id, title: `Payroll lead ${id}`, on: '2026-01-22' }));
    const added = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/newco',
      domain: 'newco.example',
      base_url: provider.origin,
      poll: true,
    });
    const { source_id } = added.body;
    const setupId = await signalSetup(of, 'job-posting-insight', { topic: 'Payroll' });
    expect(await seeRunThrough(service, of, setupId)).toMatchObject({ matches_found: 1, credits_spent: 20 });
    await service.ingest([
      { kind: 'company', ref: 'c:newco', rev: 1, handle: 'newco', domains: ['newco.example'], name: 'Newco' },
    ]);
    await service.setClock('2026-01-25T10:00:00.000Z');
    jobsOfNew = [...jobsOfNew, { id: 3, title: 'Payroll lead 3', on: '2026-01-24' }];
    expect((await service.ops('source.poll', { source_id })).body).toMatchObject({ ok: true, new: 1 });
    expect(await seeRunThrough(service, of, setupId)).toMatchObject({ matches_found: 0, credits_spent: 0 });
    await service.ops('source.remove', { source_id });
  });

  it('D-13 D-16 SRC-04 postings of a company that a source made stay those of the covered and found account', async () => {
    const of = await service.workspace({ credits: 1_000 });
    await of.call('POST /api/v2/personas', { job_title: ['sales'], location: ['France'] });
    jobsOfLater = [{ id: 11, title: 'Treasury lead', on: '2026-01-24' }];
    const added = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/later',
      domain: 'later.example',
      base_url: provider.origin,
      poll: true,
    });
    const { source_id } = added.body;
    const list = (await of.call('POST /api/v2/lists', { type: 'customer', name: 'Customers' })).body.data;
    await of.call(`POST /api/v2/lists/company/${list.id}/members`, {
      members: [{ domain: 'later.example' }],
    });
    await of.call(`PUT /api/v3/lists/company/${list.id}`, { signal_buckets: ['essential'] });
    await of.call('POST /api/v2/top-account-list/accounts', { accounts: [{ domain: 'later.example' }] });
    await service.ops('work.drain');
    await service.ingest([
      { kind: 'company', ref: 'c:later', rev: 1, handle: 'later', domains: ['later.example'], name: 'Later' },
    ]);
    const agent = await of.call('POST /api/v2/agents', {
      type: 'job_posting_keyword_detection',
      parameters: { tracking_keywords: ['treasury'] },
    });
    const found = async (id: number) => {
      const { matches_found, credits_spent } = await seeRunThrough(service, of, id);
      return { matches_found, credits_spent };
    };
    const setupId = await signalSetup(of, 'new-job-posting', { job_titles: ['Treasury'], locations: [] });
    expect(await found(setupId)).toEqual({ matches_found: 1, credits_spent: 0 });
    expect(await found(agent.body.data.id)).toEqual({ matches_found: 1, credits_spent: 10 });
    jobsOfLater = [...jobsOfLater, { id: 12, title: 'Treasury head', on: '2026-01-24' }];
    await service.ops('source.poll', { source_id });
    expect(await found(setupId)).toEqual({ matches_found: 1, credits_spent: 0 });
    expect(await found(agent.body.data.id)).toEqual({ matches_found: 1, credits_spent: 10 });
    await service.ops('source.remove', { source_id });
  });

  it('D-13 SRC-04 postings of a company that a source made are those of an account that is added once it is observed', async () => {
    const of = await service.workspace({ credits: 1_000 });
    await of.call('POST /api/v2/personas', { job_title: ['sales'], location: ['France'] });
    jobsOfSooner = [{ id: 21, title: 'Actuary lead', on: '2026-01-24' }];
    const added = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/sooner',
      domain: 'sooner.example',
      base_url: provider.origin,
      poll: true,
    });
    await service.ingest([
      { kind: 'company', ref: 'c:sooner', rev: 1, handle: 'sooner', domains: ['sooner.example'] },
    ]);
    await of.call('POST /api/v2/top-account-list/accounts', { accounts: [{ domain: 'sooner.example' }] });
    await service.ops('work.drain');
    const agent = await of.call('POST /api/v2/agents', {
      type: 'job_posting_keyword_detection',
      parameters: { tracking_keywords: ['actuary'] },
    });
    const run = await seeRunThrough(service, of, agent.body.data.id);
    expect(run).toMatchObject({ matches_found: 1, credits_spent: 10 });
    await service.ops('source.remove', { source_id: added.body.source_id });
  });

  it('D-14 SRC-04 posts of a company that a source made are those of the listed company', async () => {
    const of = await service.workspace({ credits: 1_000 });
    await of.call('POST /api/v2/personas', { job_title: ['sales'], location: ['France'] });
    await service.ingest([
      { kind: 'company', ref: 'domain:fern.example', domains: ['fern.example'] },
      {
        kind: 'post',
        ref: 'post:fern',
        author_ref: 'domain:fern.example',
        text: 'About fulmars',
        published_at: '2026-01-23T09:00:00Z',
      },
      { kind: 'company', ref: 'c:fern', handle: 'fern', domains: ['fern.example'] },
    ]);
    const list = (await of.call('POST /api/v2/lists', { type: 'prospect', name: 'Prospects' })).body.data;
    await of.call(`POST /api/v2/lists/company/${list.id}/members`, { members: [{ domain: 'fern.example' }] });
    const asked = { list_id: list.id, tracking_keywords: ['fulmars'] };
    const setupId = await signalSetup(of, 'prospect-list-keyword-mentions', asked);
    expect(await seeRunThrough(service, of, setupId)).toMatchObject({ matches_found: 1, credits_spent: 10 });
  });

  it('SRC-09 is read only by polls of operators, under its own name', () => {
    const asked = provider.requests.filter(({ url }) => url !== '/robots.txt');
    expect(asked.length).toBeGreaterThan(3);
    for (const { headers } of asked) expect(headers['user-agent']).toContain('(+ops@acme.example)');
  });
});
