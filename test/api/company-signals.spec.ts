import { observedCompany } from '#test/support/observed-network.js';
import { detectionsOf, seeRunThrough, signalSetup } from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

describe('signals about companies', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  const url = 'https://www.network.example/posts/4';

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-01-10T10:00:00.000Z' });
    workspace = await service.workspace({ credits: 1_000 });
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
    const headcount = (ref: string, company: string, employees: number, observed_at: string) => ({
      kind: 'headcount',
      ref,
      company_ref: `c:${company}`,
      employees,
      observed_at,
    });
    const event = (ref: string, company: string, name: string, fields: object) => ({
      kind: 'company_event',
      ref,
      company_ref: `c:${company}`,
      event: name,
      fields,
      occurred_at: '2026-01-04T00:00:00Z',
    });
    const inFrance = { locations: [{ city: 'Paris', country: 'France', country_code: 'FR' }] };
    await service.ingest([
      observedCompany('acme', { ...inFrance, name: 'Acme' }),
      observedCompany('elsewhere', { locations: [{ country: 'Japan', country_code: 'JP' }] }),
      ...['acme', 'elsewhere'].flatMap((company) => [
        headcount(`h:${company}:1`, company, 120, '2025-07-05T00:00:00Z'),
        headcount(`h:${company}:2`, company, 150, '2026-01-05T00:00:00Z'),
        event(`e:${company}:1`, company, 'location_opened', {
          city: 'Lyon',
          country: 'France',
          country_code: 'FR',
          url,
          extract: 'Acme opens in Lyon',
        }),
        event(`e:${company}:2`, company, 'funding', {
          round: 'Series A',
          amount: 12_000_000,
          currency: 'EUR',
        }),
      ]),
    ]);
  });
  afterAll(() => service.stop());

  const growth = {
    question: 'headcount-growth',
    answer: '+25% in 6 months (120 to 150)',
    evidence: [],
    facts: {
      department: null,
      over_months: 6,
      change_percent: 25,
      from: { employees: 120, observed_at: '2025-07-05T00:00:00.000Z' },
      to: { employees: 150, observed_at: '2026-01-05T00:00:00.000Z' },
    },
  };
  const location = {
    question: 'new-location-opened',
    answer: 'Lyon, France',
    evidence: [{ url, extract: 'Acme opens in Lyon' }],
    facts: { city: 'Lyon', region: null, country: 'France', country_code: 'FR' },
  };
  const funding = {
    question: 'funding-announced',
    answer: 'series_a, 12000000 EUR',
    evidence: [],
    facts: { round: 'series_a', amount: 12_000_000, currency: 'EUR' },
  };
  const cases = [
    ['headcount-growth', { growth_percent: 25, over_months: 6 }, growth, '2026-01-05T00:00:00.000Z', 20],
    ['new-location-opened', { countries: ['France'] }, location, '2026-01-04T00:00:00.000Z', 20],
    ['funding-announced', { rounds: ['series_a'] }, funding, '2026-01-04T00:00:00.000Z', 40],
  ] as const;

  it.each(cases)(
    "D-19 D-72 %s finds companies of the persona's market, once, and each is paid for",
    async (key, parameters, data, signalDate, credits) => {
      const setup = await signalSetup(workspace, key, parameters);
      const balance = async () => (await workspace.call('GET /api/v3/credits/balance')).body.data;
      const before = await balance();

      expect(await seeRunThrough(service, workspace, setup)).toMatchObject({ stage: 'completed' });
      const found = await detectionsOf(workspace, { agent_id: setup });
      expect(found).toMatchObject([
        {
          signal_type: 'deepSearch',
          signal_date: signalDate,
          data,
          company_id: expect.any(Number),
          lead_id: null,
        },
      ]);
      const after = await balance();
      expect(Number(before.balance) - Number(after.balance)).toBe(credits);

      await seeRunThrough(service, workspace, setup);
      expect(await detectionsOf(workspace, { agent_id: setup })).toHaveLength(1);
      expect(await balance()).toEqual(after);
    },
  );
});
