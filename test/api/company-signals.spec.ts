import { observedCompany } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

describe('signals about companies', () => {
  const url = 'https://www.network.example/posts/4';
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
  const service = scene({
    at: '2026-01-10T10:00:00.000Z',
    network: [
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
    ],
  });
  const workspace = sharedWorkspace(service, {}, ({ persona }) => persona());

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
      const setup = await workspace.setup(key, parameters);
      const before = await workspace.balance();

      expect(await workspace.run(setup)).toMatchObject({ stage: 'completed' });
      expect(await workspace.detections({ agent_id: setup })).toMatchObject([
        {
          signal_type: 'deepSearch',
          signal_date: signalDate,
          data,
          company_id: expect.any(Number),
          lead_id: null,
        },
      ]);
      const after = await workspace.balance();
      expect(Number(before.balance) - Number(after.balance)).toBe(credits);

      await workspace.run(setup);
      expect(await workspace.detections({ agent_id: setup })).toHaveLength(1);
      expect(await workspace.balance()).toEqual(after);
    },
  );
});
