import fc from 'fast-check';
import type { JsonValue } from '#kernel/values/json.js';
import { researchDetector } from '#signals/detection/research.detector.js';
import { sampleRun } from '#signals/detection/testing/sample-run.js';
import type { NetworkStore } from '#network/network-store.js';
import { naiveResearch, type NaiveRun, type Observed } from './naive-research.js';
import { onWholeNetwork } from './on-network.js';

const NOW = '2026-03-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;

const from = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values);
/** null: the field is left out. */
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 3, nil: undefined });

const words = from(
  ...['SAP', 'SAP', 'sap', 'Oracle', 'Oracle', 'erp', 'ERP', 'erp', 'ERPs', 'sap_x', 'Héllo', 'week'],
  ...['not', 'no', 'never', 'isn’t', "can't", 'without'],
);
const gaps = from(' ', ' ', ' ', ' ', ' ', ' ', ', ', '. ', '.', '! ', '?\t', '\n');
const text = fc
  .array(fc.tuple(words, gaps), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.flat().join(''));
/** Also at the edges of the window, outside it, and the same moment more than once. */
const date = from(-24, 0, 0, 1, 1, 2, 24, 24 * 29, 24 * 30, 24 * 31).map((hoursAgo) =>
  new Date(Date.parse(NOW) - hoursAgo * HOUR_MS).toISOString(),
);
const url = maybe(from('https://a.example/1', 'https://a.example/2'));
const companyRef = from('c:a', 'c:b', 'c:c', 'c:d');
const rev = fc.integer({ min: 1, max: 3 });

const company = fc.record({
  kind: fc.constant('company'),
  ref: companyRef,
  rev,
  locations: maybe(
    fc.array(
      fc.record({
        city: from('Paris', 'Lyon', null),
        country: from('France', 'France', 'France', 'Germany', null),
        country_code: from('FR', null),
      }),
      { maxLength: 2 },
    ),
  ),
  employees: maybe(from(5, 50, 51, 200, 20_000)),
  employee_range: maybe(from('51-200', '51 - 200', '10,001+')),
  industry: maybe(from('Computer Software', 'Banking')),
  tagline: maybe(text),
  activity_summary: maybe(text),
});
const person = fc.record({
  kind: fc.constant('person'),
  ref: from('p:1', 'p:2', 'p:3'),
  rev,
  // No rule says which of two positions with the same start counts.
  experiences: fc.uniqueArray(
    fc.record({
      title: fc.constant('CTO'),
      company_ref: companyRef,
      start_date: from('2020', '2021', '2022'),
      end_date: from(null, null, '2023'),
    }),
    { maxLength: 2, selector: ({ start_date }) => start_date },
  ),
});
const post = fc.record({
  kind: fc.constant('post'),
  ref: from('1', '2', '3', '4', '5', '6'),
  rev,
  author_ref: fc.oneof(companyRef, from('p:1', 'p:2', 'p:3', 'p:unknown')),
  text,
  url,
  published_at: maybe(date),
});
const posting = fc.record({
  kind: fc.constant('job_posting'),
  ref: from('j1', 'j2', 'j3'),
  rev,
  company_ref: companyRef,
  title: maybe(text),
  description: maybe(text),
  url,
  posted_at: maybe(date),
});
const event = fc.record({
  kind: fc.constant('company_event'),
  ref: from('e1', 'e2', 'e3'),
  rev,
  company_ref: companyRef,
  event: from('funding', 'location_opened', 'renewal_due'),
  occurred_at: maybe(date),
  fields: fc.record({
    extract: fc.oneof(text, fc.constant(7)),
    url: fc.oneof(from('https://a.example/3'), fc.constant(null)),
    // Only a renewal has these: its date is its due day.
    renewal_date: fc.constant('2026-03-01'),
    workspace_id: fc.constant(1),
  }),
});

/** Each revision has one content. */
const network = fc
  .array(fc.oneof(company, company, person, post, post, posting, event), {
    minLength: 30,
    maxLength: 45,
    size: 'max',
  })
  .map((observations): readonly Observed[] => {
    const seen = new Map<string, Observed>();
    for (const observed of observations) {
      const named = { ...observed, handle: observed.ref.replace(':', '-') };
      const key = `${observed.kind} ${observed.ref} ${observed.rev}`;
      if (!seen.has(key))
        seen.set(key, 'locations' in observed || 'experiences' in observed ? named : observed);
    }
    return [...seen.values()];
  });
const question: fc.Arbitrary<NaiveRun['question']> = fc.oneof(
  fc.record({
    question: from(
      'Does the company run SAP?',
      'Is it SAP, not Oracle?',
      "Isn't SAP their ERP?",
      'What is it?',
    ),
  }),
  fc.record({
    question: from('Which ERP?', 'Which ERP without SAP?'),
    answer_type: fc.constant('choice' as const),
    choices: from(['SAP', 'Oracle'], ['Oracle', 'sap', 'not']),
  }),
);
const run: fc.Arbitrary<NaiveRun> = fc.record({
  now: fc.constant(NOW),
  lookbackDays: from(1, 30, 30),
  market: fc.record({
    locations: from(['France'], ['France'], ['Lyon, France', 'FR'], ['Germany', 'france'], []),
    headcounts: from([], [], [], ['51-200', '10,001+']),
    industries: from([], [], [], ['software']),
  }),
  covered: from([], ['c:b'], ['c:b', 'c:d'], ['c:a', 'c:unknown']),
  question,
});

async function foundIn(
  store: NetworkStore,
  { now, lookbackDays, market, covered, question: parameters }: NaiveRun,
) {
  const found: object[] = [];
  const persona = { personaId: 1, jobTitles: [], excludeJobTitles: [], seniorities: [], ...market };
  for (let resume: JsonValue = null; ;) {
    const page = await researchDetector.find(
      sampleRun({
        now: new Date(now),
        lookbackDays,
        parameters,
        persona,
        source: store.source,
        directory: store.directory,
        watched: { covered: async () => new Set(covered) },
        known: async (subjects) =>
          new Set(subjects.filter((subject) => found.some((one) => Object(one).subject === subject))),
      }),
      resume,
      2,
    );
    for (const { subject, priced, signalDate, sourceUrl, data } of page.matches) {
      const { question: asked, answer, evidence, facts } = data;
      expect([asked, facts]).toEqual([parameters.question, null]);
      found.push({ subject, priced, signalDate, sourceUrl, answer, evidence });
    }
    if (!page.more) return found;
    resume = page.resume;
  }
}

describe('the research detector on random networks', () => {
  it('D-19 D-80 D-81 D-82 D-83 D-84 finds what a naive reading of its rules finds', async () => {
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(network, run, async (observations, asked) => {
        const expected = naiveResearch(observations, asked);
        answers += expected.length;
        const found = await onWholeNetwork(observations, (store) => foundIn(store, asked));
        expect(found).toEqual(expected);
      }),
      { numRuns: 150, seed: 12 },
    );
    expect(answers).toBeGreaterThan(30);
  });

  it('D-81 reads the newest 500 passages, of any kind', async () => {
    const at = (minutesAgo: number): string => new Date(Date.parse(NOW) - minutesAgo * 60_000).toISOString();
    const posts = (count: number, minutesAgo: number, words: string) =>
      Array.from({ length: count }, (_, index) => ({
        kind: 'post',
        ref: `${words}-${index}`,
        rev: 1,
        author_ref: 'c:a',
        text: words,
        published_at: at(minutesAgo + index),
      }));
    const postings = Array.from({ length: 300 }, (_, index) => ({
      kind: 'job_posting',
      ref: `job-${index}`,
      rev: 1,
      company_ref: 'c:a',
      // Every second passage has no content, and does not count.
      ...(index % 2 === 0 && { title: 'Nobody' }),
      posted_at: at(index),
    }));
    const acme = { kind: 'company', ref: 'c:a', handle: 'a', rev: 1, locations: [{ country: 'France' }] };
    const asked: NaiveRun = {
      now: NOW,
      lookbackDays: 30,
      market: { locations: ['France'], headcounts: [], industries: [] },
      covered: [],
      question: { question: 'Does the company run SAP?' },
    };
    for (const [others, evidence] of [
      [349, 1],
      [350, 0],
    ] as const) {
      const passages = [...postings, ...posts(others, 0, 'weather'), ...posts(3, 10_000, 'We run SAP')];
      const found = await onWholeNetwork([acme, ...passages], (store) => foundIn(store, asked));
      expect(found.flatMap((one) => Object(one).evidence)).toHaveLength(evidence);
    }
  });
});
