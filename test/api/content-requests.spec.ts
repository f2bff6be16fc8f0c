import { refusal } from '#test/support/expected-answers.js';
import { observedCompany } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const SALES = { job_title: ['sales'], location: ['France'] };

describe('content requests', () => {
  /** Of acme on the first of June, of acme and of globex on the second; all of them failed. */
  let requests: readonly number[];
  let acme: number;
  let globex: number;

  const service = scene({ at: NOW, network: [observedCompany('acme'), observedCompany('globex')] });
  const workspace = sharedWorkspace(service, {}, async ({ persona }) => {
    await persona(SALES);
    const first = await enrich({ domain: 'acme.com' });
    await service.drain();
    await service.advance('P1D');
    requests = [first, await enrich({ domain: 'acme.com' }), await enrich({ network_handle: 'globex' })];
    await service.drain();
    [acme, globex] = await Promise.all([companyOf(requests[0]), companyOf(requests[2])]);
  });

  async function enrich(body: object): Promise<number> {
    return (await workspace.call('POST /api/v2/enrich-company-mapping', body)).body.request_id;
  }

  const companyOf = async (requestId: number | undefined): Promise<number> =>
    (await workspace.call(`GET /api/v2/account-mapping/${requestId}/stage`)).body.company_id;

  const list = (query = ''): Promise<Answer> => workspace.call(`GET /api/v2/content-requests${query}`);
  const query = (body: object): Promise<Answer> =>
    workspace.call('POST /api/v2/content-requests/query', body);

  const idsOf = ({ body }: Answer): readonly number[] => body.data.map(({ id }: { id: number }) => id);

  /** The rows that a GET and the same filters in a body return, by their index among the requests. */
  async function found(text: string, body: object): Promise<readonly number[]> {
    const [listed, queried] = [await list(text), await query(body)];
    expect([listed.status, queried.status]).toEqual([200, 200]);
    expect(queried.body).toEqual(listed.body);
    return idsOf(listed).map((id) => requests.indexOf(id));
  }

  it('CR-01 CR-02 CR-13 CR-15 CR-17 lists the launches of enrichments, newest first', async () => {
    const { status, headers, body } = await list();
    expect(status).toBe(200);
    expect(idsOf({ status, headers, body })).toEqual(requests.toReversed());
    expect(body.meta).toEqual({
      pagination: { page: 1, page_size: 25, page_count: 1, total: 3 },
      resolved_companies: [],
    });
    expect(headers.get('x-total-count')).toBe('3');
    expect(body.data[2]).toEqual({
      id: requests[0],
      type: 'account_mapping',
      stage: 'account_mapping_failed',
      failed_reason: 'no_employee_resolved',
      created_at: NOW,
      updated_at: NOW,
      company: {
        id: acme,
        name: 'acme',
        domain: 'acme.com',
        network_url: 'https://www.network.example/company/acme',
      },
      inputs: { persona_id: expect.any(Number), company_id: acme, source: 'api', identifier: 'acme.com' },
    });
  });

  it('CR-14 takes the same filters in a body and returns the same', async () => {
    expect(await found('', {})).toEqual([2, 1, 0]);
    expect(await found('?page=2&page_size=2', { page: 2, page_size: 2 })).toEqual([0]);
    expect(await found('?type=account_mapping', { type: 'account_mapping' })).toEqual([2, 1, 0]);
    expect(await found('?type=top_account_content', { type: ['top_account_content'] })).toEqual([]);
  });

  it('CR-04 CR-05 CR-06 leaves out completed ones unless stages are named, repeated or comma-separated', async () => {
    const failed = 'account_mapping_failed';
    expect(await found('?stage=completed', { stage: 'completed' })).toEqual([]);
    expect(await found(`?stage=completed&stage=${failed}`, { stage: ['completed', failed] })).toEqual([
      2, 1, 0,
    ]);
    expect(await found(`?stage=completed,${failed}`, { stage: `completed,${failed}` })).toEqual([2, 1, 0]);
    for (const stage of [
      'account_mapping_ready',
      'account_mapping_in_progress',
      'account_mapping_ingestion_ready',
      'account_mapping_ingestion_in_progress',
      'top_account_content_scraping_ready',
      'top_account_content_scraping_starting',
      'top_account_content_scraping_in_progress',
      'top_account_content_failed',
    ])
      expect(await found(`?stage=${stage}`, { stage })).toEqual([]);
  });

  it('CR-04 shows completed ones only on request', async () => {
    const other = await service.workspace({ credits: 5 });
    await other.persona(SALES);
    await service.ingest([
      observedCompany('initech'),
      {
        kind: 'person',
        ref: 'p:peter',
        handle: 'peter',
        geo: { country: 'France', country_code: 'FR' },
        experiences: [{ title: 'Sales', company_ref: 'c:initech', start_date: '2024', end_date: null }],
      },
    ]);
    await other.call('POST /api/v2/enrich-company-mapping', { domain: 'initech.com' });
    await service.drain();
    expect(await other.data('GET /api/v2/content-requests')).toEqual([]);
    expect(await other.data('GET /api/v2/content-requests?stage=completed')).toMatchObject([
      { stage: 'completed', failed_reason: null },
    ]);
  });

  it('CR-08 includes both ends of a period', async () => {
    for (const [from, to, rows] of [
      ['2026-06-01', '2026-06-01', [0]],
      ['2026-06-02', '2026-06-02', [2, 1]],
      [NOW, NOW, [0]],
      ['2026-06-01', '2026-06-02', [2, 1, 0]],
      ['2026-06-03', '2026-06-04', []],
    ] as const) {
      const body = { date_from: from, date_to: to };
      expect(await found(`?date_from=${from}&date_to=${to}`, body)).toEqual(rows);
    }
  });

  it('CR-09 CR-10 CR-12 uses the highest kind of company identifier sent, and returns the resolved companies', async () => {
    const resolved = (body: Answer['body']) => body.meta.resolved_companies;
    expect(
      await found(`?company_id=${acme}&company_domain=globex.com`, {
        company_id: acme,
        company_domain: 'globex.com',
      }),
    ).toEqual([1, 0]);
    expect(resolved((await list(`?company_id=${acme}&company_domain=globex.com`)).body)).toEqual([
      { company_id: acme, matched_by: 'company_id', identifier: String(acme) },
    ]);
    expect(
      await found('?company_network_handle=globex&company_network_url=https://x.example/company/acme', {
        company_network_handle: ['globex'],
        company_network_url: 'https://x.example/company/acme',
      }),
    ).toEqual([2]);
    const url = 'https://www.network.example/company/acme';
    expect(
      await found(`?company_network_url=${url}&company_domain=globex.com`, {
        company_network_url: [url],
        company_domain: ['globex.com'],
      }),
    ).toEqual([1, 0]);
    expect(resolved((await list(`?company_network_url=${url}`)).body)).toEqual([
      { company_id: acme, matched_by: 'network_url', identifier: url },
    ]);
    const both = { company_domain: ['globex.com', 'https://www.acme.com/about', 'nobody.com'] };
    const domains = 'company_domain=globex.com,https://www.acme.com/about&company_domain=nobody.com';
    expect(await found(`?${domains}`, both)).toEqual([2, 1, 0]);
    expect(resolved((await query(both)).body)).toEqual([
      { company_id: globex, matched_by: 'domain', identifier: 'globex.com' },
      { company_id: acme, matched_by: 'domain', identifier: 'https://www.acme.com/about' },
    ]);
  });

  it('CR-11 CR-12 CR-14 takes an entry of an array as one identifier, also with a comma in it', async () => {
    const url = 'https://www.network.example/company/acme?tags=a,b';
    const company_network_url = [url, ...Array.from({ length: 99 }, (_, index) => `${url},${index}`)];
    const { status, body } = await query({ company_network_url, stage: 'account_mapping_failed' });
    expect(status).toBe(200);
    expect(body.meta.resolved_companies).toEqual([
      { company_id: acme, matched_by: 'network_url', identifier: url },
    ]);
  });

  it('CR-16 CR-09 answers 404 if the kind that counts resolves to nothing, even if others would', async () => {
    for (const [text, body] of [
      ['?company_id=9999999', { company_id: 9_999_999 }],
      [
        `?company_network_handle=nobody&company_domain=acme.com`,
        {
          company_network_handle: 'nobody',
          company_domain: 'acme.com',
        },
      ],
      ['?company_domain=nodot', { company_domain: ['nodot'] }],
    ] as const) {
      expect([text, (await list(text)).status]).toEqual([text, 404]);
      expect([text, (await query(body)).status]).toEqual([text, 404]);
    }
  });

  it('CR-11 takes at most a hundred values of an identifier', async () => {
    const domains = (count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => (index === 0 ? 'acme.com' : `nobody-${index}.com`));
    expect(await found(`?company_domain=${domains(100).join()}`, { company_domain: domains(100) })).toEqual([
      1, 0,
    ]);
    expect((await list(`?company_domain=${domains(101).join()}`)).status).toBe(400);
    expect((await query({ company_domain: domains(101) })).status).toBe(400);
  });

  it('CR-05 CR-07 OP-58 refuses all invalid filters together', async () => {
    for (const [text, faults] of [
      ['?stage=done&type=posts', ['stage', 'type']],
      ['?stage=', ['stage']],
      ['?company_id=x&company_domain=', ['company_domain', 'company_id']],
      ['?date_from=2026-06-02&date_to=2026-06-01', ['date_from']],
      ['?date_to=tomorrow&page=0&page_size=101', ['date_to', 'page', 'page_size']],
    ] as const)
      await refusal(400, list(text), ...faults);
    for (const [sent, faults] of [
      [{ stage: 'done', type: ['posts'] }, ['stage', 'type']],
      [{ stage: [], type: null, company_domain: [1] }, ['company_domain', 'stage', 'type']],
      [{ company_id: '9', page: '1', page_size: 101 }, ['company_id', 'page', 'page_size']],
      [{ date_from: ['2026-06-01'], date_to: 5 }, ['date_from', 'date_to']],
      [{ date_from: '2026-06-02', date_to: '2026-06-01' }, ['date_from']],
    ] as const) {
      const { status, body } = await query(sent);
      expect([sent, status, Object.keys(body.errors).sort()]).toEqual([sent, 400, faults]);
    }
    expect((await query({ unknown: [] })).status).toBe(200);
  });
});
