import {
  employed,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

/** An observer that knows nothing may send an empty text, or white space. */
describe('facts of which the network shows a blank text', () => {
  const inFrance = { city: '', region: ' ', country: 'France', country_code: 'FR' };
  const position = { title: '', company_ref: 'c:acme', company_name: '', start_date: '2024', end_date: null };
  const posting = (ref: string, more: object): object => ({
    kind: 'job_posting',
    ref,
    company_ref: 'c:acme',
    location: '',
    posted_at: '2026-01-05T00:00:00Z',
    ...more,
  });
  const headcount = (ref: string, employees: number, observed_at: string): object => ({
    kind: 'headcount',
    ref,
    company_ref: 'c:acme',
    department: '',
    employees,
    observed_at,
  });
  const service = scene({
    at: '2026-01-10T10:00:00.000Z',
    network: [
      observedCompany('acme', {
        name: '',
        industry: '',
        employee_range: ' ',
        tagline: '',
        activity_summary: '',
        locations: [{ ...inFrance, state: '', formatted_address: '' }],
      }),
      observedPerson('ana', {
        first_name: '',
        last_name: ' ',
        headline: '',
        email: '',
        phone: '',
        geo: inFrance,
        experiences: [{ ...position, department: '', seniority: '', location: '' }],
      }),
      observedPost('of-ana', 'ana', 'a CRM', '2026-01-05T00:00:00Z'),
      posting('j:1', { title: 'CRM admin', description: '', hiring_manager_ref: 'p:ana' }),
      posting('j:2', { title: ' ', description: 'We use a CRM' }),
      headcount('h:1', 100, '2025-07-05T00:00:00Z'),
      headcount('h:2', 150, '2026-01-05T00:00:00Z'),
    ],
  });
  const workspace = sharedWorkspace(service, {}, ({ persona }) => persona());

  async function found(templateKey: string, parameters: object) {
    const setupId = await workspace.setup(templateKey, parameters);
    await workspace.run(setupId);
    return workspace.detections({ agent_id: setupId });
  }

  it('CONV-04 D-11 are null in a lead, its company and its signals', async () => {
    const [detection] = await found('mentioned-keywords-on-network', { tracking_keywords: ['CRM'] });
    expect(detection.data.author).toMatchObject({ full_name: null, headline: null });
    const { data: lead } = (await workspace.call(`GET /api/v2/leads/${detection.lead_id}`)).body;
    expect(lead).toMatchObject({
      first_name: null,
      last_name: null,
      network_headline: null,
      email: null,
      phone: null,
      position: null,
      location: 'France',
      geo: { city: null, region: null, country: 'France' },
      company: { name: null, employee_range: null, activity_summary: null, location: 'France' },
      experiences: [{ title: null, company_name: null, location: null, start_date: '2024' }],
    });
    const company = (await workspace.call(`GET /api/v2/companies/${detection.company_id}`)).body;
    expect(company).toMatchObject({ name: null, industries: null, tagline: null, location: 'France' });
    expect(company.locations).toMatchObject([{ city: null, state: null, formatted_address: null }]);
  });

  it('CONV-04 D-11 are null in signals of job postings', async () => {
    const [posted] = await found('new-job-posting', { job_titles: ['CRM admin'] });
    expect(posted).toMatchObject({
      excerpt: 'CRM admin',
      data: {
        job_posting: { title: 'CRM admin', location: null, company_name: null },
        hiring_manager: { full_name: null, headline: null },
      },
    });
    const shown = { signal_setup_id: posted.agent_id };
    const { data } = (await workspace.call('POST /api/v3/signals/query', shown)).body;
    expect(data).toMatchObject([{ lead: { full_name: null, title: null }, company: { name: null } }]);
    const [insight] = await found('job-posting-insight', { topic: 'CRM' });
    expect(insight.data).toMatchObject({
      job_postings: [{ title: null }, { title: 'CRM admin' }],
      summary: '2 postings of a company are about CRM',
    });
  });

  it('CONV-04 are null in signals of comments', async () => {
    await service.ingest([
      observedCompany('rival'),
      observedPerson('bo', employed('rival', 'Account Executive')),
      observedPost('of-bo', 'bo', '', '2026-01-04T00:00:00Z'),
      observedComment('of-ana', 'ana', 'of-bo', ' ', '2026-01-05T00:00:00Z'),
    ]);
    const { id } = await workspace.list('competitor', ['rival']);
    const [comment] = await found('competitor-content-engagement', { list_id: id });
    expect(comment).toMatchObject({
      excerpt: null,
      data: { interaction: { author: { comment_text: null } }, post: { extract: null } },
    });
  });

  it('MAP-43 make seniority and department of a mapped profile unspecified', async () => {
    await service.ingest([
      observedPerson('luc', {
        geo: inFrance,
        experiences: [{ ...position, title: 'CTO', department: ' ', seniority: '' }],
      }),
    ]);
    await workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: 'acme' });
    await service.drain();
    const [{ id }] = await workspace.data('GET /api/v2/company-mappings');
    const { company, profiles } = await workspace.data(`GET /api/v2/company-mappings/${id}`);
    expect(company.name).toBeNull();
    expect(profiles).toMatchObject([{ seniority: 'unspecified', department: 'unspecified' }]);
  });

  it('D-11 D-70 a headcount of a blank department is one of the whole company', async () => {
    const growth = await found('headcount-growth', { growth_percent: 50, over_months: 6 });
    expect(growth.map(({ data }) => data.answer)).toEqual(['+50% in 6 months (100 to 150)']);
  });
});
