import {
  completedRun,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { expectDetection } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace, type SceneWorkspace } from '#test/support/scene.js';
import { postNames as named } from '#test/support/signal-runs.js';

const QUERY = 'POST /api/v2/workspace/signals/query';
const COUNT = 'POST /api/v2/workspace/signals/count';
const QUERY_V3 = 'POST /api/v3/signals/query';
const NOW = '2026-06-01T10:00:00.000Z';

/** As the specification lists them. */
const TYPES = (
  'keywordDetection newJob recentlyPromoted jobPostingKeywordDetection competitorInboundComment ' +
  'competitorOutboundComment partnerInboundComment partnerOutboundComment customerInboundComment ' +
  'customerOutboundComment influencerInboundComment influencerOutboundComment championInboundComment ' +
  'championOutboundComment championJobChange networkComment networkReaction leadLikedOwnContent ' +
  'leadCommentedOwnContent leadLikedCompetitorContent leadCommentedCompetitorContent jobPosting ' +
  'jobPostingInsight jobPostingHiringManager deepSearch'
).split(' ');

type Row = { readonly id: number; readonly source_url: string };

describe('the signal queries', () => {
  let crmAgent: number;
  let crmRun: number;
  let erpAgent: number;
  let erpRun: number;

  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      observedCompany('globex'),
      observedPerson('ana', {
        headline: 'VP Sales at Acme',
        geo: { city: 'Paris', region: null, country: 'France', country_code: 'FR' },
        ...employed('acme', 'VP Sales'),
      }),
      observedPerson('bob', {
        geo: { city: 'Paris', region: 'Texas', country: 'United States', country_code: 'US' },
        ...employed('globex', 'CTO'),
      }),
      observedPerson('eve'),
      observedPost('fresh', 'ana', 'Our new CRM is live', '2026-05-31T09:00:00Z'),
      observedPost('texan', 'bob', 'CRM for the rest of us', '2026-05-20T09:00:00Z'),
      observedPost('placeless', 'eve', 'which CRM?', '2026-05-10T09:00:00Z'),
      observedPost('older', 'ana', 'A CRM is a CRM', '2026-03-20T09:00:00Z'),
      observedPost('ledger', 'ana', 'An ERP is a ledger', '2026-05-25T09:00:00Z'),
    ],
  });
  const other = sharedWorkspace(service);
  const workspace = sharedWorkspace(service, {}, async (made) => {
    crmAgent = await keywordAgent(made, 'crm');
    erpAgent = await keywordAgent(made, 'erp');
    crmRun = await completedRun(service, made, crmAgent);
    await service.advance('PT1H');
    erpRun = await completedRun(service, made, erpAgent);
  });

  /** A workspace of a single case; its balance is not checked in the months that pass in the last case. */
  const furtherWorkspace = (): Promise<SceneWorkspace> => service.workspace({ billing: 'exempt' });
  const query = (body: object = {}, asker = workspace) => asker.data(QUERY, body);
  const leadOf = async (name: string): Promise<number> => {
    const rows: (Row & { readonly lead_id: number })[] = await query();
    return rows.find((row) => named([row])[0] === name)?.lead_id ?? 0;
  };

  describe(QUERY, () => {
    it('SIG-01 SIG-03 SIG-04 SIG-06 SIG-08 SIG-13 answers complete detections to an empty body', async () => {
      const { status, body } = await workspace.call(QUERY);
      expect(status).toBe(200);
      expect(body.meta).toEqual({ next_cursor: null, has_more: false });
      const fresh = body.data.find((row: Row) => named([row])[0] === 'fresh');
      const author = {
        full_name: 'ana Roy',
        headline: 'VP Sales at Acme',
        network_url: 'https://www.network.example/in/ana',
      };
      expectDetection(fresh, {
        signal_type: 'keywordDetection',
        data: {
          content_id: expect.any(Number),
          author: { type: 'profile', ...author },
          keywords_found: ['crm'],
        },
        detected_at: NOW,
        signal_date: '2026-05-31T09:00:00.000Z',
        lead_id: expect.any(Number),
        agent_id: crmAgent,
        source_url: 'https://www.network.example/posts/fresh',
        author,
        excerpt: 'Our new CRM is live',
        credits: 10,
      });
      const content = await workspace.call(`GET /api/v2/contents/${fresh.data.content_id}`);
      expect(content.body.data).toMatchObject({
        type: 'post',
        text: 'Our new CRM is live',
        lead_id: fresh.lead_id,
      });
    });

    it('SIG-05 links a keyword match to the lead of its author, if the author is a person', async () => {
      const own = await furtherWorkspace();
      await service.ingest([
        { ...observedPost('by-company', 'nobody', 'a zebra', '2026-05-31T09:00:00Z'), author_ref: 'c:acme' },
        {
          ...observedPost('by-stranger', 'nobody', 'a zebra', '2026-05-31T08:00:00Z'),
          author_ref: 'p:unseen',
        },
        observedPost('by-bob', 'bob', 'a zebra', '2026-05-31T07:00:00Z'),
      ]);
      await completedRun(service, own, await keywordAgent(own, 'zebra'));
      const rows = new Map<string, (typeof first)[]>();
      const [first, ...others] = await query({}, own);
      for (const row of [first, ...others]) rows.set(named([row])[0] ?? '', [row]);
      expect([...rows.keys()].sort()).toEqual(['by-bob', 'by-company', 'by-stranger']);
      const [bob] = rows.get('by-bob') ?? [];
      const lead = await own.call(`GET /api/v2/leads/${bob.lead_id}`);
      expect(lead.body.data.network_url).toBe(bob.data.author.network_url);
      const [company] = rows.get('by-company') ?? [];
      expect([company.lead_id, company.author, company.data.author]).toEqual([
        null,
        null,
        {
          type: 'company',
          company_name: 'acme',
          network_url: 'https://www.network.example/company/acme',
        },
      ]);
      const [stranger] = rows.get('by-stranger') ?? [];
      expect([stranger.lead_id, stranger.author, stranger.data.author]).toEqual([null, null, null]);
    });

    it('SUP-09 OP-20 shows the payload of a detection unchanged, for any type, and its date as the action', async () => {
      const own = await furtherWorkspace();
      const data = { 'any key': [null, 1.5, { deep: ['é😀', false] }], __proto: {} };
      await own.command('detection.add', {
        signal_type: 'deepSearch',
        signal_date: '2026-05-31T12:00:00+02:00',
        data,
      });
      await own.command('detection.add', { signal_type: 'newJob' });
      const rows: { readonly [field: string]: unknown }[] = await query({}, own);
      expect(rows.map(({ signal_type, data: payload }) => [signal_type, payload])).toEqual([
        ['newJob', {}],
        ['deepSearch', data],
      ]);
      const { body } = await own.call(QUERY_V3, {});
      type Signal = { readonly signal_date: string; readonly details: { readonly action_date: string } };
      expect(body.data.map(({ signal_date, details }: Signal) => [signal_date, details.action_date])).toEqual(
        [
          [null, null],
          ['2026-05-31T10:00:00.000Z', '2026-05-31T10:00:00.000Z'],
        ],
      );
    });

    it('SIG-07 SUP-15 OP-20 derives link, author, excerpt and details from a payload added by hand', async () => {
      const own = await furtherWorkspace();
      const ana = { full_name: 'Ana Roy', network_url: null, company_name: 'Acme', role: 'VP Sales' };
      const bob = { full_name: 'Bob Ray', network_url: null, company_name: 'Rival', role: 'SDR' };
      const interaction = { type: 'comment', url: null, author: { ...bob, comment_text: 'Congratulations' } };
      const post = { url: 'https://www.network.example/posts/1', extract: 'We moved our CRM', author: ana };
      await own.command('detection.add', {
        signal_type: 'networkComment',
        data: { interaction, post },
      });
      const [row] = await query({}, own);
      expect(row).toMatchObject({
        source_url: 'https://www.network.example/posts/1',
        author: { full_name: 'Bob Ray', headline: null, network_url: null },
        excerpt: 'Congratulations',
        provenance: [],
      });
      const { body } = await own.call(QUERY_V3, {});
      expect(body.data[0].details).toMatchObject({
        post_text: 'We moved our CRM',
        interaction: 'comment',
        comment_text: 'Congratulations',
        counterpart_name: 'Bob Ray',
        counterpart_role: 'SDR',
        counterpart_company: 'Rival',
        new_role: null,
        keywords: null,
      });
    });

    it('LEAD-06 CO-05 OP-10 shows unobserved people and companies by handle and canonical address only', async () => {
      const own = await furtherWorkspace();
      await own.command('detection.add', {
        signal_type: 'deepSearch',
        company_network_handle: 'nobody-s-company',
        person_network_handle: 'josé',
      });
      const [row] = await query({}, own);
      const { body: company } = await own.call(`GET /api/v2/companies/${row.company_id}`);
      expect(company).toMatchObject({
        name: null,
        domain: null,
        network_handle: 'nobody-s-company',
        network_url: 'https://www.network.example/company/nobody-s-company',
      });
      const { body: lead } = await own.call(`GET /api/v2/leads/${row.lead_id}`);
      expect(lead.data).toMatchObject({
        first_name: null,
        network_handle: 'josé',
        network_url: 'https://www.network.example/in/jos%C3%A9',
        experiences: null,
      });
      await own.command('detection.add', {
        signal_type: 'deepSearch',
        company_domain: 'nobody.example',
      });
      const [byDomain] = await query({}, own);
      const { body: known } = await own.call(`GET /api/v2/companies/${byDomain.company_id}`);
      expect(known).toMatchObject({ domain: 'nobody.example', network_handle: null, network_url: null });
    });

    it('SIG-02 CUR-08 returns the last detected first, equal dates by id', async () => {
      const rows: { readonly id: number; readonly detected_at: string }[] = await query();
      expect(rows[0]).toMatchObject({ detected_at: '2026-06-01T11:00:00.000Z' });
      const sorted = [...rows].sort((left, right) =>
        left.detected_at === right.detected_at
          ? right.id - left.id
          : left.detected_at < right.detected_at
            ? 1
            : -1,
      );
      expect(rows).toEqual(sorted);
    });

    it('SIG-26 SIG-27 SIG-41 narrows to an agent, to a run, and to both at once', async () => {
      expect(named(await query({ agent_id: erpAgent }))).toEqual(['ledger']);
      expect(named(await query({ signal_run_id: crmRun }))).toEqual(['fresh', 'older', 'placeless', 'texan']);
      expect(await query({ agent_id: erpAgent, signal_run_id: crmRun })).toEqual([]);
    });

    it('SIG-38 shows signals of a lead only if they are linked to it', async () => {
      const ana = await leadOf('fresh');
      expect(named(await query({ lead_id: ana }))).toEqual(['fresh', 'ledger', 'older']);
      expect(await query({ lead_id: 999_999 })).toEqual([]);
    });

    it('SIG-39 SIG-40 finds leads by country and by city of that country, in any case', async () => {
      expect(named(await query({ countries: ['FRANCE'] }))).toEqual(['fresh', 'ledger', 'older']);
      expect(named(await query({ cities: [{ name: 'paris', country: 'united states' }] }))).toEqual([
        'texan',
      ]);
      const either = { countries: ['france'], cities: [{ name: 'Paris', country: 'United States' }] };
      expect(named(await query(either))).toEqual(['fresh', 'ledger', 'older', 'texan']);
    });

    it('SIG-23 limits the signal date on both ends, inclusive', async () => {
      const at = '2026-05-20T09:00:00Z';
      expect(named(await query({ signal_start_date: at, signal_end_date: at }))).toEqual(['texan']);
      expect(named(await query({ signal_start_date: '2026-05-20', signal_end_date: '2026-05-25' }))).toEqual([
        'ledger',
        'texan',
      ]);
      const between = {
        signal_start_date: '2026-05-20T09:00:00.001Z',
        signal_end_date: '2026-05-25T08:59:59.999Z',
      };
      expect(await query(between)).toEqual([]);
    });

    it('SIG-24 limits the detection date on both ends, inclusive', async () => {
      expect(named(await query({ detection_start_date: '2026-06-01T10:00:00.001Z' }))).toEqual(['ledger']);
      const atNow = ['fresh', 'older', 'placeless', 'texan'];
      expect(named(await query({ detection_end_date: NOW }))).toEqual(atNow);
      expect(named(await query({ detection_start_date: NOW, detection_end_date: NOW }))).toEqual(atNow);
      expect(await query({ detection_start_date: NOW })).toHaveLength(5);
      expect(await query({ detection_end_date: '2026-06-01T09:59:59.999Z' })).toEqual([]);
    });

    it('SIG-29 SIG-31 takes every known signal type, any of those named', async () => {
      const own = await furtherWorkspace();
      for (const signal_type of TYPES) await own.command('detection.add', { signal_type });
      const found = async (type: readonly string[]): Promise<readonly string[]> =>
        (await query({ type, limit: 100 }, own))
          .map((row: { signal_type: string }) => row.signal_type)
          .sort();
      expect(await found(TYPES)).toEqual([...TYPES].sort());
      for (const type of TYPES) expect(await found([type])).toEqual([type]);
      expect(await found(['newJob', 'deepSearch', 'newJob'])).toEqual(['deepSearch', 'newJob']);
      expect(await query({ type: ['newJob'] })).toEqual([]);
    });

    it('C-6 returns all detections of the workspace if no type is given: of runs, added by hand, of every type', async () => {
      const own = await furtherWorkspace();
      await completedRun(service, own, await keywordAgent(own, 'crm'));
      const ofRuns: Row[] = await query({}, own);
      expect(ofRuns).toHaveLength(4);
      for (const signal_type of TYPES) await own.command('detection.add', { signal_type });
      const all: (Row & { readonly signal_type: string })[] = await query({ limit: 100 }, own);
      const byHand = all.filter(({ id }) => !ofRuns.some((row) => row.id === id));
      expect(all).toHaveLength(ofRuns.length + TYPES.length);
      expect(byHand.map(({ signal_type }) => signal_type).sort()).toEqual([...TYPES].sort());
    });

    it('SIG-33 SIG-34 SIG-36 narrows to companies of the top account list', async () => {
      const [row] = await query({ agent_id: erpAgent });
      const known = await workspace.call(QUERY, { company_id: row.company_id });
      expect([known.status, known.body.data]).toEqual([200, []]);
      expect((await workspace.call(QUERY, { company_id: 999_999 })).status).toBe(404);
      for (const unresolved of [
        { company_domain: ['acme.com'] },
        { company_network_handle: ['acme'] },
        { company_network_url: ['https://www.network.example/company/acme'] },
      ]) {
        expect((await workspace.call(QUERY, unresolved)).status).toBe(404);
      }
    });

    for (const [property, value] of [
      ['limit', 0],
      ['limit', 101],
      ['limit', '25'],
      ['limit', 1.5],
      ['type', []],
      ['type', ['nonsense']],
      ['type', 'keywordDetection'],
      ['signal_start_date', 'yesterday'],
      ['signal_end_date', '2026-02-30'],
      ['detection_start_date', 7],
      ['detection_end_date', ''],
      ['agent_id', 'seven'],
      ['signal_run_id', 0],
      ['company_id', -1],
      ['lead_id', 1.5],
      ['company_domain', []],
      ['company_network_handle', 'acme'],
      ['company_network_url', ['']],
      ['countries', []],
      ['countries', 'France'],
      ['cities', []],
      ['cursor', ''],
      ['cursor', 'garbage'],
    ] as const) {
      it(`SIG-20 SIG-25 SIG-30 SIG-42 SIG-44 refuses ${property} ${JSON.stringify(value)}`, async () => {
        const { status, body } = await workspace.call(QUERY, { [property]: value });
        expect([status, body.type]).toEqual([400, expect.stringMatching(/\/errors\/bad-request$/)]);
        expect(Object.keys(body.errors)).toEqual([property]);
      });
    }

    it('SIG-44 names the part of a city that is missing', async () => {
      const { status, body } = await workspace.call(QUERY, { cities: [{ name: 'Paris' }] });
      expect([status, body.errors]).toEqual([400, { 'cities.0.country': ['is required'] }]);
    });

    it('OP-39 refuses an end before a given start, also after the start was clamped', async () => {
      const reversed = { signal_start_date: '2026-05-02', signal_end_date: '2026-05-01' };
      expect((await workspace.call(QUERY, reversed)).body.errors).toEqual({
        signal_start_date: ['must not be after signal_end_date'],
      });
      const clamped = { signal_start_date: '2025-01-01', signal_end_date: '2025-02-01' };
      const { status, body } = await workspace.call(QUERY, clamped);
      expect([status, body.errors]).toEqual([
        400,
        { signal_start_date: ['is at most 180 days ago, which is after signal_end_date'] },
      ]);
      expect(await query({ signal_end_date: '2025-02-01' })).toEqual([]);
      const detection = { detection_start_date: '2026-05-02', detection_end_date: '2026-05-01' };
      expect((await workspace.call(QUERY, detection)).body.errors).toHaveProperty('detection_start_date');
    });

    it('SIG-50 answers one signal of any age and priority, as the v3 query shows it', async () => {
      const { body: all } = await workspace.call(QUERY, { signal_start_date: '2026-01-01T00:00:00Z' });
      expect(all.data.length).toBeGreaterThan(3);
      const { body: shown } = await workspace.call(QUERY_V3, { signal_start_date: '2026-01-01T00:00:00Z' });
      let compared = 0;
      for (const { id } of all.data) {
        const { status, body } = await workspace.call(`GET /api/v3/signals/${id}`);
        expect([id, status, body.data.id]).toEqual([id, 200, id]);
        const inQuery = shown.data.find((row: Row) => row.id === id);
        if (inQuery === undefined) continue;
        compared += 1;
        expect(body.data).toEqual(inQuery);
      }
      expect(compared).toBe(shown.data.length);
      expect(compared).toBeGreaterThan(0);
      expect((await other.call(`GET /api/v3/signals/${all.data[0].id}`)).status).toBe(404);
    });

    it('SIG-45 requires a key', async () => {
      expect((await service.call(QUERY, {})).status).toBe(401);
    });
  });

  describe('cursors', () => {
    const walk = async (limit: number, filters: object = {}): Promise<readonly number[]> => {
      const ids: number[] = [];
      let cursor: string | null = null;
      do {
        const asked: object = { ...filters, limit, ...(cursor === null ? {} : { cursor }) };
        const { body } = await workspace.call(QUERY, asked);
        expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        ids.push(...body.data.map(({ id }: Row) => id));
        cursor = body.meta.next_cursor;
      } while (cursor !== null);
      return ids;
    };
    const cursorFor = async (filters: object = {}): Promise<string> =>
      (await workspace.call(QUERY, { ...filters, limit: 1 })).body.meta.next_cursor;

    it('CUR-02 CUR-04 CUR-08 return every detection once, in order, for any page size', async () => {
      const all = (await query()).map(({ id }: Row) => id);
      for (const limit of [1, 2, 3, 5]) expect(await walk(limit)).toEqual(all);
      expect(await walk(2, { agent_id: crmAgent })).toHaveLength(4);
    });

    it('CUR-07 allow another limit on the next page', async () => {
      const all = (await query()).map(({ id }: Row) => id);
      const rest = await query({ cursor: await cursorFor(), limit: 100 });
      expect(rest.map(({ id }: Row) => id)).toEqual(all.slice(1));
    });

    it('CUR-06 are refused when they were tampered with', async () => {
      const cursor = await cursorFor();
      for (const wrong of [cursor.slice(0, -2), `${cursor}AA`, cursor.replace(/^./, 'x')]) {
        expect((await workspace.call(QUERY, { cursor: wrong })).body.errors).toHaveProperty('cursor');
      }
    });

    it('ISO-17 OP-39 are valid for one workspace, one endpoint and one set of filters', async () => {
      const cursor = await cursorFor();
      expect((await other.call(QUERY, { cursor })).status).toBe(400);
      expect((await workspace.call(QUERY_V3, { cursor })).status).toBe(400);
      expect((await workspace.call(QUERY, { cursor, agent_id: crmAgent })).status).toBe(400);
      const own = await cursorFor({ agent_id: crmAgent, cities: [{ name: 'Paris', country: 'France' }] });
      const again = { agent_id: crmAgent, cities: [{ country: 'France', name: 'Paris' }], cursor: own };
      expect((await workspace.call(QUERY, again)).status).toBe(200);
    });
  });

  describe(COUNT, () => {
    it('SIG-46 counts what the query returns for the same filters', async () => {
      for (const filters of [
        {},
        { agent_id: crmAgent },
        { countries: ['France'] },
        { signal_run_id: erpRun },
      ]) {
        const { status, body } = await workspace.call(COUNT, filters);
        expect([status, body]).toEqual([200, { data: { count: (await query(filters)).length } }]);
      }
    });

    it('OP-40 ignores cursor and limit and refuses the type', async () => {
      expect((await workspace.call(COUNT, { cursor: 'garbage', limit: 1 })).body).toEqual({
        data: { count: 5 },
      });
      const { status, body } = await workspace.call(COUNT, { type: ['newJob'] });
      expect([status, body.errors]).toEqual([400, { type: ['is not supported by the count endpoint'] }]);
    });

    it('SIG-34 SIG-44 refuses what the query refuses', async () => {
      expect((await workspace.call(COUNT, { lead_id: 'x' })).status).toBe(400);
      expect((await workspace.call(COUNT, { company_id: 999_999 })).status).toBe(404);
      expect((await service.call(COUNT, {})).status).toBe(401);
    });
  });

  describe(QUERY_V3, () => {
    it('SIG-47 OP-41 answers signals in the form of v3; an agent is no setup', async () => {
      const { status, body } = await workspace.call(QUERY_V3, { limit: 2 });
      expect(status).toBe(200);
      expect(body.meta.cursor).toEqual({ next: expect.any(String), has_more: true });
      const [row] = body.data;
      expect(row).toMatchObject({
        signal_setup_id: null,
        signal_template_key: null,
        signal_type: 'keywordDetection',
        lead: { full_name: 'ana Roy', title: 'VP Sales', photo_url: null },
        company: { name: 'acme' },
      });
      expect(Object.keys(row.details)).toHaveLength(13);
      expect(row.details).toMatchObject({
        post_text: 'An ERP is a ledger',
        keywords: ['erp'],
        job_title: null,
      });
      const next = await workspace.call(QUERY_V3, { limit: 100, cursor: body.meta.cursor.next });
      expect(next.body.data).toHaveLength(3);
      expect(next.body.meta.cursor).toEqual({ next: null, has_more: false });
    });

    it('narrows by run, lead, company, place and type', async () => {
      const found = async (filters: object) => named((await workspace.call(QUERY_V3, filters)).body.data);
      expect(await found({ signal_run_id: erpRun })).toEqual(['ledger']);
      expect(await found({ lead_id: await leadOf('texan') })).toEqual(['texan']);
      expect(await found({ countries: ['United States'] })).toEqual(['texan']);
      const [texan] = await query({ lead_id: await leadOf('texan') });
      expect(await found({ company_id: texan.company_id })).toEqual(['texan']);
      expect(await found({ type: ['newJob'] })).toEqual([]);
      expect(await found({ signal_setup_id: crmAgent })).toEqual([]);
      expect(await found({ signal_template_key: ['mentioned-keywords-on-network'] })).toEqual([]);
    });

    it('CUR-06 SIG-44 refuses all faults with one title', async () => {
      for (const wrong of [
        { limit: 101 },
        { cursor: 'garbage' },
        { signal_template_key: [] },
        { type: ['x'] },
      ]) {
        const { status, body } = await workspace.call(QUERY_V3, wrong);
        expect([status, body.type, body.title]).toEqual([400, 'about:blank', 'Invalid request body']);
        expect(Object.keys(body.errors)[0]?.split('.')[0]).toBe(Object.keys(wrong)[0]);
      }
      expect((await workspace.call(QUERY_V3, { company_id: 999_999 })).status).toBe(404);
      expect((await service.call(QUERY_V3, {})).status).toBe(401);
    });
  });

  it('ISO-01 ISO-11 shows nothing of another workspace', async () => {
    const lead = await leadOf('fresh');
    for (const filters of [{}, { agent_id: crmAgent }, { signal_run_id: crmRun }, { lead_id: lead }]) {
      expect(await query(filters, other)).toEqual([]);
    }
    expect((await other.call(COUNT, {})).body).toEqual({ data: { count: 0 } });
    expect((await other.call(QUERY_V3, {})).body.data).toEqual([]);
    const [row] = await query({ agent_id: crmAgent });
    expect((await other.call(QUERY, { company_id: row.company_id })).status).toBe(404);
  });

  describe('as time goes by', () => {
    it('SIG-21 SIG-22 SIG-28 moves the default window, clamps an early start, and keeps an old run', async () => {
      // No balance is checked in the five months that pass here.
      for (const { command } of [workspace, other]) await command('workspace.billing', { billing: 'exempt' });
      // 'placeless' was posted on 10 May at 09:00: exactly 90 days later it is included, a millisecond later it is
      // not.
      await service.setClock('2026-08-08T09:00:00.000Z');
      expect(named(await query())).toEqual(['fresh', 'ledger', 'placeless', 'texan']);
      await service.setClock('2026-08-08T09:00:00.001Z');
      expect(named(await query())).toEqual(['fresh', 'ledger', 'texan']);
      // 90 days back is 12 May.
      await service.setClock('2026-08-10T10:00:00.000Z');
      expect(named(await query())).toEqual(['fresh', 'ledger', 'texan']);
      const early = { signal_start_date: '2020-01-01' };
      expect(named(await query(early))).toEqual(['fresh', 'ledger', 'older', 'placeless', 'texan']);
      // 90 days back is 2 July, 180 days back is 3 April.
      await service.setClock('2026-09-30T10:00:00.000Z');
      expect(named(await query(early))).toEqual(['fresh', 'ledger', 'placeless', 'texan']);
      expect(await query()).toEqual([]);
      const ofRun = await query({ signal_run_id: crmRun });
      expect(named(ofRun)).toEqual(['fresh', 'older', 'placeless', 'texan']);
      const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
      expect(idsOf(await workspace.data(QUERY_V3, { signal_run_id: crmRun }))).toEqual(idsOf(ofRun));
      expect(await workspace.data(QUERY_V3)).toEqual([]);
      expect(await query({ signal_run_id: crmRun, detection_start_date: '2020-01-01' })).toEqual([]);
      // The same with the 180 days to which an early start is clamped.
      await service.setClock('2026-11-06T09:00:00.000Z');
      expect(named(await query(early))).toEqual(['fresh', 'ledger', 'placeless', 'texan']);
      await service.setClock('2026-11-06T09:00:00.001Z');
      expect(named(await query(early))).toEqual(['fresh', 'ledger', 'texan']);
    });
  });
});
