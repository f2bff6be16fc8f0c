import fc from 'fast-check';
import type { Observed } from './proof.js';
import { maybe, networkOf, NOW, one } from './random-network.js';

/** Networks of few people whose careers take many turns; some turns are observed late or with a gap. */

const PEOPLE = ['p:ana', 'p:bo', 'p:cy', 'p:di', 'p:ed'] as const;
const daysAgo = (days: number): string => new Date(Date.parse(NOW) - days * 24 * 3_600_000).toISOString();

const position = fc.record({
  title: one('VP Sales', 'VP, Sales', 'Head of Sales', 'Sales intern', 'CTO', 'CTO', undefined),
  company_ref: one('c:acme', 'c:acme', 'c:globex', 'c:globex', 'c:initech', 'c:nobody', undefined),
  company_name: maybe(one('Acme', 'acme', 'Globex', 'Initech')),
  seniority: one('vp', 'vp', 'VP', 'c_suite', 'C-Suite', 'head', 'intern', 'wizard', undefined),
  department: one('Sales', 'sales', 'IT', undefined),
  start_date: one(
    '2019',
    '2024',
    '2025',
    '2025-02',
    '2025-02-28',
    '2025-03-01',
    '2025-11',
    '2026-01',
    '2026-02',
  ),
  end_date: one(null, null, null, null, '2026-01', '2025'),
});

const revision = fc.record({
  kind: fc.constant('person'),
  ref: one(...PEOPLE),
  rev: fc.integer({ min: 1, max: 40 }),
  first_name: maybe(one('Ana', 'Bo')),
  last_name: maybe(one('Roy')),
  headline: maybe(one('VP Sales at Acme', 'I like CRM', 'Gardener')),
  about: maybe(one('sales and data', 'weather')),
  geo: one(
    { country: 'France' },
    { city: 'Lyon', country_code: 'FR' },
    { country: 'France', country_code: 'FR' },
    { country: 'Germany', country_code: 'DE' },
    undefined,
  ),
  // No rule says which of two positions with the same start is the present one.
  experiences: fc.option(
    fc.uniqueArray(position, {
      maxLength: 2,
      selector: ({ start_date }) => start_date,
    }),
    { freq: 12, nil: undefined },
  ),
  observed_at: fc.option(one(-1, 0, 0, 0.5, 1, 1, 2, 3, 5, 10, 29, 30, 31).map(daysAgo), {
    freq: 12,
    nil: undefined,
  }),
  /** Days of delay of the observation. */
  delay: one(0, 0, 0, 0, 0, 15, 40),
});

export const careers: fc.Arbitrary<readonly Observed[]> = fc
  .tuple(
    networkOf({ company: 4, post: 2 }, { minLength: 12, maxLength: 20 }),
    fc.array(revision, { minLength: 30, maxLength: 50, size: 'max' }),
  )
  .map(([others, revisions]) => [
    ...others,
    ...revisions
      .toSorted((left, right) => left.rev + left.delay - right.rev - right.delay)
      .map(({ delay: _, ...seen }) => ({ ...seen, handle: seen.ref.slice(2) })),
  ]);
