import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#kernel/values/json.js';
import { answered, idsIn } from '#test/support/expected-answers.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, postNames } from '#test/support/signal-runs.js';

const NOW = '2026-06-01T10:00:00.000Z';
const place = (city: string | null, country: string | null) => ({
  geo: { city, region: null, country, country_code: null },
});

/** Rules about single fields and filters that the specs of the routes do not cover. */
describe('exact contents of reads', () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      { kind: 'company', ref: 'c:bare', handle: 'bare' },
      observedPerson('ana', {
        ...place('Paris', 'France'),
        experiences: [
          { title: 'Trainee', company_name: 'Old Corp', start_date: '2019', end_date: '2020-01' },
          {
            title: 'VP Sales',
            company_ref: 'c:acme',
            company_name: 'acme',
            start_date: '2024-03',
            end_date: null,
          },
          {
            title: 'Manager',
            company_name: 'Mid Corp',
            company_url: 'https://www.network.example/company/mid',
            start_date: '2020-02',
            end_date: '2024-02',
          },
        ],
      }),
      observedPerson('bob', { ...place(null, 'FRANCE'), ...employed('bare', 'VP Sales') }),
      observedPerson('cat', place('Paris', 'United States')),
      observedPerson('dan', place('Nowhere', null)),
      observedPost('ana', 'ana', 'a CRM', '2026-05-30T09:00:00Z'),
      observedPost('bob', 'bob', 'a CRM', '2026-05-30T10:00:00Z'),
      observedPost('cat', 'cat', 'a CRM', '2026-05-30T11:00:00Z'),
      observedPost('dan', 'dan', 'a CRM', '2026-05-30T12:00:00Z'),
    ],
  });
  const workspace = sharedWorkspace(service, {}, async (own) => own.run(await keywordAgent(own, 'crm')));
  const other = sharedWorkspace(service);

  const foundBy = async (name: string) => {
    const found = (await workspace.detections()).find(({ source_url }) => source_url.endsWith(`/${name}`));
    if (found === undefined) throw new Error(`nothing was found of ${name}`);
    return found;
  };
  const leadOf = async (name: string) => workspace.data(`GET /api/v2/leads/${(await foundBy(name)).lead_id}`);

  describe('GET /api/v2/workspace-leads/locations', () => {
    it('LOC-01 OP-61 lists each country and city once, sorted, and each works as a filter', async () => {
      const body = await answered(200, workspace.call('GET /api/v2/workspace-leads/locations'));
      expect(body).toEqual({
        data: {
          countries: ['France', 'United States'],
          cities: [
            { name: 'Paris', country: 'France' },
            { name: 'Paris', country: 'United States' },
          ],
        },
      });
      const found = async (filter: object) => postNames(await workspace.detections(filter));
      expect(await found({ countries: ['France'] })).toEqual(['ana', 'bob']);
      expect(await found({ countries: ['United States'] })).toEqual(['cat']);
      expect(await found({ cities: [body.data.cities[0]] })).toEqual(['ana']);
      expect(await found({ cities: [body.data.cities[1]] })).toEqual(['cat']);
    });

    it('OP-61 ISO-01 C-13 answers the same at the literal path, with a key, and only for its own workspace', async () => {
      const long = await workspace.call('GET /api/v2/workspace-leads/locations');
      expect(await answered(200, workspace.call('GET /workspace-leads/locations'))).toEqual(long.body);
      for (const path of ['/api/v2/workspace-leads/locations', '/workspace-leads/locations']) {
        expect((await service.call(`GET ${path}`)).status).toBe(401);
        expect((await other.call(`GET ${path}`)).body).toEqual({ data: { countries: [], cities: [] } });
      }
    });
  });

  describe('counts by day', () => {
    it('OP-40 SIG-41 count what the query returns, also if a window begins or ends within a day', async () => {
      const [{ agent_id }] = await workspace.detections();
      const empty = await keywordAgent(workspace, 'nothing of the kind');
      for (const [filter, names] of [
        [{}, ['ana', 'bob', 'cat', 'dan']],
        [{ signal_start_date: '2026-05-30T10:00:00Z' }, ['bob', 'cat', 'dan']],
        [{ signal_start_date: '2026-05-30T09:00:00.001Z' }, ['bob', 'cat', 'dan']],
        [{ signal_end_date: '2026-05-30T11:00:00Z' }, ['ana', 'bob', 'cat']],
        [
          { signal_start_date: '2026-05-30T10:00:00Z', signal_end_date: '2026-05-30T11:00:00Z' },
          ['bob', 'cat'],
        ],
        [{ signal_start_date: '2026-05-30T10:00:00Z', agent_id }, ['bob', 'cat', 'dan']],
        [{ signal_end_date: '2026-05-29' }, []],
        [{ signal_start_date: '2026-05-31' }, []],
        [{ agent_id: empty }, []],
      ] as const) {
        const { body } = await workspace.call('POST /api/v2/workspace/signals/count', filter);
        expect([filter, body.data.count]).toEqual([filter, names.length]);
        expect(postNames(await workspace.detections(filter))).toEqual(names);
      }
    });

    it('OP-60 PAG-06 page contents across the ranges in which they are counted', async () => {
      const own = await service.workspace();
      const ids = [9_000_001, 9_000_002, 9_010_000, 9_010_001, 9_050_000];
      for (const contentId of ids) {
        const facts = {
          url: null,
          text: 'a',
          published_at: null,
          author: null,
          reaction_count: 0,
          comment_count: 0,
        };
        const data: JsonObject = {
          contentId,
          ref: `post:${contentId}`,
          type: 'post',
          facts,
          leadId: null,
          companyId: null,
        };
        const metadata = { workspaceId: String(own.id), recordedAt: NOW, schemaVersion: '1' };
        await service.service.host.eventStore.append(`contentIdentity-${own.id}_${contentId}`, 'no-stream', [
          { id: randomUUID(), type: 'ContentCaptured', data, metadata },
        ]);
      }
      await service.drain();
      const walked: number[] = [];
      for (const page of [1, 2, 3, 4]) {
        const body = await answered(200, own.call(`GET /api/v2/contents?page_size=2&page=${page}`));
        expect(body.meta.pagination).toEqual({ page, page_size: 2, page_count: 3, total: 5 });
        walked.push(...idsIn(body.data));
      }
      expect(walked).toEqual(ids);
    });
  });

  describe('leads and companies', () => {
    it('LEAD-05 SUP-07 show experiences most recent first, ongoing ones without an end', async () => {
      const { experiences } = await leadOf('ana');
      expect(
        experiences.map(({ title, start_date, end_date, is_current }: { [field: string]: unknown }) => [
          title,
          start_date,
          end_date,
          is_current,
        ]),
      ).toEqual([
        ['VP Sales', '2024-03', null, true],
        ['Manager', '2020-02', '2024-02', false],
        ['Trainee', '2019', '2020-01', false],
      ]);
    });

    it('LEAD-02 LEAD-03 LEAD-05 show null if no place, no company and no history are known', async () => {
      const cat = await leadOf('cat');
      expect([cat.company, cat.experiences]).toEqual([null, null]);
      expect(cat.geo).toEqual({ city: 'Paris', region: null, country: 'United States', country_code: null });
      await service.ingest([
        observedPerson('eve'),
        observedPost('eve', 'eve', 'an ERP', '2026-05-31T09:00:00Z'),
      ]);
      await workspace.run(await keywordAgent(workspace, 'erp'));
      expect((await leadOf('eve')).geo).toBeNull();
    });

    it('LEAD-06 show a lead without any facts: every field null', async () => {
      const [leadId = 0] = await service.service.host.ids.nextMany('lead', 1);
      const nothing = {
        first_name: null,
        last_name: null,
        network_url: null,
        network_handle: null,
        network_headline: null,
        avatar_url: null,
        email: null,
        phone: null,
        position: null,
        location: null,
        geo: null,
        experiences: null,
      };
      const data: JsonObject = { leadId, identity: 'legacy', rev: 1, facts: nothing, companyId: null };
      const recordedAt = NOW;
      const metadata = { workspaceId: String(workspace.id), recordedAt, schemaVersion: '1' };
      await service.service.host.eventStore.append(`leadIdentity-${workspace.id}_legacy`, 'no-stream', [
        { id: randomUUID(), type: 'LeadRegistered', data, metadata },
      ]);
      await service.drain();
      expect(await answered(200, workspace.call(`GET /api/v2/leads/${leadId}`))).toEqual({
        data: { id: leadId, ...nothing, company: null },
      });
    });

    it('CO-02 CO-05 SUP-08 show a company of which only a handle is known: enrichment fields null, locations none', async () => {
      const { company_id } = await foundBy('bob');
      expect(await answered(200, workspace.call(`GET /api/v2/companies/${company_id}`))).toEqual({
        name: null,
        domain: null,
        url: null,
        network_url: 'https://www.network.example/company/bare',
        network_handle: 'bare',
        logo_url: null,
        location: null,
        locations: [],
        number_of_employees: null,
        employee_range: null,
        founded_year: null,
        observed_at: null,
        industries: null,
        activity_summary: null,
        tagline: null,
        pipeline_configs: [],
      });
    });
  });

  describe('usage and balance', () => {
    it('USE-14 CUR-01 return 25 movements without a limit, and as many as requested', async () => {
      const buyer = await service.workspace();
      for (let made = 0; made < 27; made += 1) {
        await buyer.command('credits.hold', { key: `k${made}`, credits: 1, product: 'p' });
      }
      const usage = async (query = '') => (await buyer.call(`GET /api/v3/usage${query}`)).body;
      const first = await usage();
      expect([first.data.length, first.meta.cursor.has_more]).toEqual([25, true]);
      const rest = await usage(`?cursor=${first.meta.cursor.next}`);
      expect([rest.data.length, rest.meta.cursor]).toEqual([2, { next: null, has_more: false }]);
      expect((await usage('?limit=26')).data).toHaveLength(26);
    });

    it('USE-15 USE-20 BAL-02 INV-01 list released movements and exclude them from the spending', async () => {
      const buyer = await service.workspace({ credits: 100 });
      const ends = { a: 'capture', b: 'release', c: null, d: 'capture' } as const;
      const amounts = { a: '0.000001', b: 5, c: '2.25', d: 10 };
      for (const key of ['a', 'b', 'c', 'd'] as const) {
        const credits = amounts[key];
        await buyer.command('credits.hold', { key, credits, product: 'p' });
        if (ends[key] !== null) await buyer.command(`credits.${ends[key]}`, { key });
      }
      const data = await buyer.data('GET /api/v3/usage');
      type Row = { readonly status: string; readonly credits: number };
      expect(data.map(({ status, credits }: Row) => [status, credits])).toEqual([
        ['captured', 10],
        ['held', 2.25],
        ['released', 5],
        ['captured', 0.000001],
      ]);
      const micro = (rows: readonly Row[]) =>
        rows.reduce((sum, { credits }) => sum + Math.round(credits * 1_000_000), 0);
      const spent = micro(data.filter(({ status }: Row) => status !== 'released'));
      const { balance, held, captured, granted } = await buyer.balance();
      expect([balance, held, captured, granted]).toEqual([87.749999, 2.25, 10.000001, 100]);
      expect(100_000_000 - spent).toBe(Math.round(balance * 1_000_000));
    });

    it('SUP-19 refuse a cursor with other dates', async () => {
      const usage = (query: string) => workspace.call(`GET /api/v3/usage${query}`);
      const { next } = (await usage('?limit=1')).body.meta.cursor;
      expect((await usage(`?limit=1&cursor=${next}`)).status).toBe(200);
      const changed = await answered(400, usage(`?limit=1&date_from=2026-01-01&cursor=${next}`));
      expect(changed.errors).toEqual({ cursor: ['was issued for other dates'] });
    });
  });

  describe('lists, setups and personas', () => {
    it('C-3 C-2 answer a malformed id as its route declares: 404 for companies and mappings, 400 for leads and setups', async () => {
      const asked = {
        '/api/v2/companies/:id': 404,
        '/api/v2/company-mappings/:id': 404,
        '/api/v2/leads/:id': 400,
        '/api/v3/signal-setups/:id': 400,
        '/api/v3/signal-setups/:id/stats': 400,
      };
      for (const [route, expected] of Object.entries(asked)) {
        for (const id of ['abc', '1.5', '0', '-1', '1e3', '%20', '99999999999999999999']) {
          const path = route.replace(':id', id);
          expect([path, (await workspace.call(`GET ${path}`)).status]).toEqual([path, expected]);
        }
        const unknown = route.replace(':id', '999999999');
        expect([unknown, (await workspace.call(`GET ${unknown}`)).status]).toEqual([unknown, 404]);
      }
      for (const query of ['page=0', 'page=x', 'page_size=0', 'page_size=101'])
        expect((await workspace.call(`GET /api/v2/company-mappings?${query}`)).status).toBe(400);
    });

    it('SUP-06 have no collection of one kind of list', async () => {
      for (const path of ['/api/v2/lists/company', '/api/v2/lists/profile']) {
        const body = await answered(404, workspace.call(`GET ${path}`));
        expect(body.type).toEqual(expect.stringMatching(/\/errors\/not-found$/));
      }
    });

    it('SUP-23 allow equal names of setups and of lists', async () => {
      const list = { type: 'competitor', name: 'Same' };
      const lists = [
        await workspace.call('POST /api/v2/lists', list),
        await workspace.call('POST /api/v2/lists', list),
      ];
      expect(lists.map(({ status }) => status)).toEqual([201, 201]);
      const own = await service.workspace();
      await own.persona();
      const ids = [
        await own.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['a'] }),
        await own.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['a'] }),
      ];
      const data = await own.data('GET /api/v3/signal-setups');
      expect(idsIn(data)).toEqual(ids);
      expect(data[0].name).toBe(data[1].name);
    });

    it('OP-01 answer 405 for a wrong method also where another route has an id in that place', async () => {
      for (const [path, others] of [
        ['/api/v3/signals/query', '/api/v3/signals/first'],
        ['/api/v2/workspace/signal-runs/quote', '/api/v2/workspace/signal-runs/first'],
      ] as const) {
        for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
          const { status, headers } = await workspace.call(`${method} ${path}`);
          expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, 'POST']);
        }
        const wrongId = await answered(400, workspace.call(`GET ${others}`));
        expect(Object.keys(wrongId.errors)).toEqual(['id']);
        const wrongMethod = await workspace.call(`PUT ${others}`);
        expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      }
    });

    it('OP-03 name the second entry of a list as entry 2 in every request', async () => {
      const agentWith = (tracking_keywords: readonly unknown[]) => ({
        type: 'keyword_post_search',
        parameters: { tracking_keywords },
      });
      const agent = await keywordAgent(workspace, 'crm');
      const [list] = await workspace.data('GET /api/v2/lists');
      const refused: readonly (readonly [string, object])[] = [
        ['POST /api/v2/personas', { job_title: ['VP', 5] }],
        ['PUT /api/v3/personas', { location: ['France', ' '] }],
        ['POST /api/v2/lists', { type: 'customer', name: 'a', persona_ids: [1, 'x'] }],
        [`PUT /api/v2/lists/profile/${list.id}`, { persona_ids: [1, 'x'] }],
        ['POST /api/v2/agents', agentWith(['crm', 5])],
        ['POST /api/v2/agents', agentWith(['crm', ' '])],
        [`PUT /api/v2/agents/${agent}`, { parameters: { tracking_keywords: ['crm', 'x'.repeat(201)] } }],
        [
          'POST /api/v3/signal-setups',
          { signal_template_id: 1, parameters: { tracking_keywords: ['crm', 5] } },
        ],
        ['POST /api/v2/workspace/signals/query', { type: ['newJob', 'x'] }],
        ['POST /api/v3/signals/query', { countries: ['France', 5] }],
        ['POST /api/v2/enrich-company-mapping', { domain: 'acme.com', persona_ids: [1, 'x'] }],
        ['POST /api/v3/keywords/preview', { keywords: ['crm', 5] }],
        ['POST /api/v3/keywords/preview', { keywords: ['crm', '\u00ad'] }],
      ];
      for (const [route, body] of refused) {
        const answer = await workspace.call(route, body);
        const messages = Object.values(answer.body.errors ?? {}).flat();
        expect([route, ...messages]).toEqual([route, expect.stringMatching(/^entry 2 must /)]);
      }
    });

    it('OP-03 name text that no store can keep under its field, with the entry of a list', async () => {
      const parameters = { tracking_keywords: ['crm', 'a\0'] };
      const own = await service.workspace();
      await own.persona();
      const setup = await own.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
      const refused: readonly (readonly [route: string, body: object, field: string])[] = [
        ['POST /api/v3/signal-setups', { signal_template_id: 1, parameters }, 'tracking_keywords'],
        [`PATCH /api/v3/signal-setups/${setup}`, { parameters }, 'tracking_keywords'],
        ['POST /api/v2/agents', { type: 'keyword_post_search', parameters }, 'parameters.tracking_keywords'],
        ['PUT /api/v3/personas', { location: ['France', 'a\ud800'] }, 'location'],
        ['POST /api/v3/signals/query', { countries: ['France', 'a\0'] }, 'countries'],
      ];
      for (const [route, body, field] of refused) {
        const answer = await service.refused(() => own.call(route, body));
        const message = 'entry 2 must not contain NUL characters or lone surrogates';
        expect([route, answer.body.errors]).toEqual([route, { [field]: [message] }]);
      }
    });

    it('PER-16 have the same signals for any tag of a persona', async () => {
      const found = async (tag: string | null): Promise<readonly string[]> => {
        const own = await service.workspace();
        const facts = { job_title: ['VP Sales'], location: ['France'], tag: 'United States' };
        const id = await own.persona(facts);
        await own.data(`PATCH /api/v2/personas/${id}`, { tag });
        await own.run(await own.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] }));
        return postNames(await own.data('POST /api/v3/signals/query', {}));
      };
      const untagged = await found(null);
      expect(untagged).toEqual(['ana', 'bob']);
      expect(await found('Trainee in Nowhere')).toEqual(untagged);
    });
  });
});
