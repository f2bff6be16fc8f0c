import fc from 'fast-check';
import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';
import type { NaiveLaunch, Observed } from './proof.js';

/** Small networks with much activity among few: names repeat, dates lie on edges, revisions come late. */

export const NOW = '2026-03-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;

export const one = <const Values extends readonly unknown[]>(
  ...values: Values
): fc.Arbitrary<Values[number]> => fc.constantFrom(...values);
/** undefined: the field is left out. */
export const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 4, nil: undefined });

export const COMPANIES = ['c:acme', 'c:globex', 'c:initech', 'c:umbrella'] as const;
const PEOPLE = ['p:ana', 'p:bo', 'p:cy', 'p:di', 'p:ed'] as const;
const companyRef = one(...COMPANIES);
/** Mostly known ones. */
const someCompany = one(...COMPANIES, ...COMPANIES, 'c:nobody', undefined);
const someAuthor = one(...COMPANIES, ...PEOPLE, ...PEOPLE, 'p:nobody', 'c:nobody', undefined);

const word = one('CRM', 'crm', 'ERP', 'migration', 'data', 'sales', 'CRMs', 'the', 'for', 'remote', 'admin');
const gap = one(' ', ' ', ' ', ', ', '. ', '\n', '-', '_');
const words = fc
  .array(fc.tuple(word, gap), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(''));
/** Sometimes longer than the limit for a text. */
const text = fc
  .tuple(words, one(0, 0, 0, 0, 0, 0, 0, 70_000))
  .map(([some, length]) => some + ' x'.repeat(length / 2));

/** Around the edges of windows of 1, 30 and 90 days, in the future, and often the same moment twice. */
const date = one(
  -24,
  -1,
  0,
  0,
  1,
  1,
  2,
  24,
  25,
  100,
  24 * 29,
  24 * 30,
  24 * 30 + 1,
  24 * 89,
  24 * 90,
  24 * 200,
).map((hoursAgo) => new Date(Date.parse(NOW) - hoursAgo * HOUR_MS).toISOString());
const rev = fc.integer({ min: 1, max: 4 });
const url = maybe(one('https://n.example/1', 'https://n.example/2'));
const place = fc.record({
  city: maybe(one('Paris', 'Lyon', 'Berlin')),
  region: maybe(one('Bavaria')),
  country: maybe(one('France', 'Germany', 'france')),
  country_code: maybe(one('FR', 'DE', 'JP')),
});

const company = fc.record({
  kind: fc.constant('company'),
  ref: companyRef,
  rev,
  name: maybe(one('Acme', 'Globex', 'Initech')),
  domains: maybe(one(['acme.example'], ['globex.example'])),
  employees: maybe(one(5, 51, 200, 20_000)),
  employee_range: maybe(one('51-200', '51 - 200', '10,001+')),
  industry: maybe(one('Computer Software', 'Banking')),
  locations: maybe(fc.array(place, { maxLength: 2 })),
});

const experience = fc.record({
  title: maybe(one('VP Sales', 'VP, Sales', 'Head of Sales', 'CTO', 'Sales intern', 'Gardener')),
  company_ref: someCompany,
  company_name: maybe(one('Acme', 'acme', 'Globex')),
  seniority: maybe(one('vp', 'c_suite', 'C-Suite', 'head', 'intern', 'wizard')),
  start_date: one('2019-01', '2020-02', '2021-03', '2024-04', '2026-01', '2026-02'),
  end_date: one(null, null, null, '2024-03', '2026-01'),
});
const person = fc.record({
  kind: fc.constant('person'),
  ref: one(...PEOPLE),
  rev,
  first_name: maybe(one('Ana', 'Bo')),
  last_name: maybe(one('Roy')),
  headline: maybe(one('VP Sales at Acme', 'I like CRM', 'Gardener')),
  about: maybe(one('sales and data', 'weather')),
  geo: maybe(place),
  // No rule says which of two positions with the same start is the present one.
  experiences: maybe(fc.uniqueArray(experience, { maxLength: 3, selector: ({ start_date }) => start_date })),
  observed_at: maybe(date),
});
const post = fc.record({
  kind: fc.constant('post'),
  ref: one('post:1', 'post:2', 'post:3', 'post:4', 'post:5', 'post:6'),
  rev,
  author_ref: someAuthor,
  url,
  text: maybe(text),
  published_at: maybe(date),
});
/** Also on comments, on themselves, in circles, and on unobserved items. */
const comment = fc.record({
  kind: fc.constant('comment'),
  ref: one('comment:1', 'comment:2', 'comment:3', 'comment:4', 'comment:5'),
  rev,
  post_ref: one(
    'post:1',
    'post:2',
    'post:3',
    'post:4',
    'comment:1',
    'comment:2',
    'comment:5',
    'post:nobody',
    undefined,
  ),
  author_ref: someAuthor,
  url,
  text: maybe(text),
  published_at: maybe(date),
});
const reaction = fc.record({
  kind: fc.constant('reaction'),
  ref: one('reaction:1', 'reaction:2', 'reaction:3', 'comment:1'),
  rev,
  post_ref: one('post:1', 'post:2', 'post:3', 'comment:1', 'comment:2', undefined),
  author_ref: someAuthor,
  reaction: maybe(one('like', 'celebrate')),
  reacted_at: maybe(date),
});
const jobPosting = fc.record({
  kind: fc.constant('job_posting'),
  ref: one('job:1', 'job:2', 'job:3', 'job:4', 'job:5', 'job:6', 'job:7', 'job:8'),
  rev,
  company_ref: someCompany,
  title: maybe(words),
  description: maybe(text),
  location: maybe(one('Paris, France', 'Berlin, Germany', 'Remote, France', 'remote', 'Nowhere at all')),
  url,
  hiring_manager_ref: one(...PEOPLE, 'p:nobody', undefined, undefined),
  posted_at: maybe(date),
});
/** Mostly of one company, so that its series are long. */
const headcount = fc.record({
  kind: fc.constant('headcount'),
  ref: fc.integer({ min: 1, max: 40 }).map((number) => `headcount:${number}`),
  rev,
  company_ref: one('c:acme', 'c:acme', 'c:acme', 'c:globex', 'c:nobody', undefined),
  department: one(undefined, undefined, undefined, 'Sales', 'sales', 'Engineering'),
  employees: one(0, 80, 100, 105, 110, 120, 125, 150, undefined),
  observed_at: maybe(
    fc
      .tuple(one(0, 0, 3, 6, 6, 12), one(0, 0, 1, 12, 20, 21, -20))
      .map(([months, days]) => new Date(Date.UTC(2026, 2 - months, 1 - days, 12)).toISOString()),
  ),
});
const companyEvent = fc.record({
  kind: fc.constant('company_event'),
  ref: fc.integer({ min: 1, max: 25 }).map((number) => `event:${number}`),
  rev,
  company_ref: someCompany,
  event: one(
    'funding',
    'funding',
    'location_opened',
    'location_opened',
    'renewal_due',
    'renewal_due',
    'anniversary',
  ),
  occurred_at: maybe(date),
  fields: fc.record({
    round: maybe(one('Series A', 'series-b', 'series_d', 'seed', 'bridge', 7)),
    amount: maybe(one(100, 110, 86, 1_000_000, 2.5, '100')),
    currency: maybe(one('EUR', 'USD', 'GBP', 'CHF')),
    city: maybe(one('Lyon', 7)),
    region: maybe(one('Bavaria')),
    country: maybe(one('France', 'france', false)),
    country_code: maybe(one('FR', 'DE')),
    url,
    extract: maybe(one('Acme raises', ['no text'])),
    renewal_date: one('2026-02-28', '2026-03-01', '2026-03-01', '2026-03-31', '2026-04-01'),
    workspace_id: maybe(one(1, 1, 1, 2, '1')),
    contract: maybe(one('C-1')),
  }),
});

const kinds = {
  company,
  person,
  post,
  comment,
  reaction,
  job_posting: jobPosting,
  headcount,
  company_event: companyEvent,
};

/** Networks with this much of each kind, in any order; each revision number occurs once. */
export const networkOf = (
  weights: { readonly [Kind in keyof typeof kinds]?: number },
  size: { readonly minLength: number; readonly maxLength: number } = { minLength: 35, maxLength: 55 },
): fc.Arbitrary<readonly Observed[]> =>
  fc
    .array(
      fc.oneof(
        ...Object.entries(weights).map(([kind, weight]) => ({
          arbitrary: kinds[kind as keyof typeof kinds] as fc.Arbitrary<Observed>,
          weight,
        })),
      ),
      { ...size, size: 'max' },
    )
    .map((observations) =>
      observations.map((observed) =>
        ['company', 'person'].includes(observed.kind)
          ? { ...observed, handle: observed.ref.slice(2) }
          : observed,
      ),
    );

export const persona: fc.Arbitrary<LaunchPersona> = fc.record({
  personaId: fc.constant(1),
  jobTitles: one(['sales'], ['sales', 'cto'], []),
  excludeJobTitles: one([], [], ['intern']),
  locations: one(['France'], ['DACH', 'Lyon, FR'], ['Europe'], []),
  seniorities: one([], [], ['vp', 'head'], ['c_suite']),
  headcounts: one([], [], ['51-200', '10,001+']),
  industries: one([], [], ['software']),
});

export const companies = fc.subarray([...COMPANIES, 'c:nobody'], { minLength: 1 });
export const people = fc.subarray([...PEOPLE, 'p:nobody']);

/** A launch of a setup or agent; each row adds its own values. */
export const launchOf = (own: {
  readonly [Name in keyof NaiveLaunch]?: fc.Arbitrary<NaiveLaunch[Name]>;
}): fc.Arbitrary<NaiveLaunch> =>
  fc.record<NaiveLaunch>({
    now: fc.constant(NOW),
    lookbackDays: one(1, 30, 90, 90, 90, 90),
    direction: fc.constant('single'),
    workspaceId: fc.constant(1),
    templateKey: fc.constant(null),
    signalTypes: fc.constant([]),
    parameters: fc.constant({}),
    persona: fc.constant(null),
    targetTitles: fc.constant(null),
    audiences: fc.constant(['network']),
    listed: fc.constant(null),
    topAccounts: companies,
    covered: companies,
    reported: fc.constant([]),
    ...own,
  });
