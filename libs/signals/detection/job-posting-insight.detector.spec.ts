import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { JobPostingSearch, ObservedJobPosting } from '#network/network-source.port.js';
import { pointAt, positionOf } from '#network/position.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import { jobPostingInsightDetector } from './job-posting-insight.detector.js';
import type { Match } from './matches.js';
import { topicMatcher } from './job-postings/topic.js';
import { sampleCompany, sampleRun } from './testing/sample-run.js';
import { samplePosting } from './testing/sample-texts.js';

type Posting = {
  readonly ref: string;
  readonly of?: string | null;
  readonly at?: string;
  readonly title?: string;
};

const posting = ({
  ref,
  of = 'c:acme',
  at = '2026-01-03',
  title = 'CRM admin',
}: Posting): ObservedJobPosting =>
  samplePosting({
    ref,
    position: positionOf({ at: Date.parse(at), ref, tie: '' }),
    title,
    postedAt: new Date(at).toISOString(),
    windowAt: new Date(at).toISOString(),
    companyRef: of,
    company: of === null || of === 'c:unknown' ? null : sampleCompany({ ref: of, name: of.slice(2) }),
  });

/** Reads at most two postings at once, so that a moment continues on the next page. */
const reading = (postings: readonly Posting[]) => {
  const all = postings
    .map(posting)
    .toSorted(
      (left, right) =>
        Date.parse(left.postedAt) - Date.parse(right.postedAt) || (left.ref < right.ref ? -1 : 1),
    );
  return async ({ companyRefs, keywords = [], position = null, after, until }: JobPostingSearch) => {
    const find = keywordMatcher(keywords, 'any');
    const start = position === null ? null : pointAt(position);
    const items = all.filter(
      ({ postedAt, ref, title, companyRef }) =>
        (start === null ||
          Date.parse(postedAt) > start.at ||
          (Date.parse(postedAt) === start.at && ref > start.ref)) &&
        Date.parse(postedAt) > after.getTime() &&
        Date.parse(postedAt) <= until.getTime() &&
        find(title ?? '').length > 0 &&
        (companyRefs === undefined || (companyRef !== null && companyRefs.includes(companyRef))),
    );
    const page = items.slice(0, 2);
    return { items: page, next: items.length > 2 ? (page.at(-1)?.position ?? null) : null };
  };
};

/** The matches of all pages. */
async function found(
  postings: readonly Posting[],
  parameters: JsonObject = {},
  {
    known = [],
    limit = 50,
    accounts,
  }: { known?: readonly string[]; limit?: number; accounts?: string[] } = {},
) {
  const run = sampleRun({
    parameters: { topic: 'CRM', ...parameters },
    known: async (subjects) => new Set(subjects.filter((subject) => known.includes(subject))),
    source: { jobPostings: reading(postings) },
    ...(accounts !== undefined && { watched: { accounts: async () => accounts } }),
  });
  const matches: Match[] = [];
  for (let resume: JsonValue = null; ;) {
    const page = await jobPostingInsightDetector.find(run, resume, limit);
    matches.push(...page.matches);
    if (!page.more) return matches;
    resume = page.resume;
  }
}

const subjects = async (...run: Parameters<typeof found>): Promise<readonly string[]> =>
  (await found(...run)).map(({ subject }) => subject);

describe('a topic', () => {
  const supports = (topic: string, title: string | null, description: string | null = null): boolean =>
    topicMatcher(topic).isSupportedBy({ title, description });

  it('D-36 is supported if title and description together have every word of an alternative, in any order', () => {
    expect(supports('CRM migration', 'Migration of our CRM')).toBe(true);
    expect(supports('CRM migration', 'CRM admin', 'Leads the migration')).toBe(true);
    expect(supports('CRM migration', 'CRM admin')).toBe(false);
    expect(supports('CRM migration', 'CRM migrations')).toBe(false);
    expect(supports('CRM migration', null)).toBe(false);
  });

  it('D-36 D-80 has its alternatives between commas, semicolons and line breaks, without stop words', () => {
    for (const topic of [
      'ERP, CRM',
      'ERP; CRM',
      'ERP\nCRM',
      'ERP\r\nCRM',
      'moving to the CRM of your company, ERP',
    ])
      expect([topic, supports(topic, 'CRM moving')]).toEqual([topic, true]);
    expect(supports('the ERP', 'CRM')).toBe(false);
  });

  it('D-36 is never supported by an alternative without words', () => {
    for (const topic of ['what is it', ', ;', 'a b c']) {
      expect(supports(topic, 'what is it a b c')).toBe(false);
      expect(topicMatcher(topic).keywords).toEqual([]);
    }
    expect(supports(', CRM', 'CRM')).toBe(true);
    expect(supports(', CRM', 'what')).toBe(false);
  });
});

describe('the insight of job postings', () => {
  const two = [
    { ref: '1', at: '2026-01-02', title: 'CRM lead' },
    { ref: '2', at: '2026-01-03' },
  ];

  it('D-37 reports a company once by its newest posting, with its postings newest first', async () => {
    const [insight, ...others] = await found([...two, { ref: '3', title: 'Driver' }]);
    expect(others).toEqual([]);
    expect(insight).toMatchObject({
      subject: 'insight:c:acme:2026-01',
      signalType: 'jobPostingInsight',
      signalDate: '2026-01-03T00:00:00.000Z',
      sourceUrl: 'https://www.network.example/jobs/2',
      excerpt: 'CRM admin',
      author: null,
      lead: null,
      priority: 1,
      priced: true,
      details: { action_date: '2026-01-03T00:00:00.000Z' },
      contents: [{ ref: '2', type: 'job_posting', idIn: null }],
      data: {
        topic: 'CRM',
        job_postings: [
          { title: 'CRM admin', url: 'https://www.network.example/jobs/2' },
          { title: 'CRM lead', url: 'https://www.network.example/jobs/1' },
        ],
        summary: '2 postings of acme are about CRM',
      },
    });
  });

  it('D-37 requires two postings, or the number in the setup; the same title twice counts twice', async () => {
    const one = [{ ref: '1' }];
    const same = [{ ref: '1' }, { ref: '2' }];
    expect(await subjects(one)).toEqual([]);
    expect(await subjects(same)).toHaveLength(1);
    expect(await subjects(one, { min_postings: 1 })).toHaveLength(1);
    expect(await subjects(same, { min_postings: 3 })).toEqual([]);
  });

  it('D-02 D-11 D-37 leaves out postings outside of the window or of an unknown company', async () => {
    const old = { ref: '0', at: '2025-10-01' };
    const later = { ref: '9', at: '2026-01-06' };
    expect(await subjects([old, later, { ref: '1' }])).toEqual([]);
    for (const of of [null, 'c:unknown'])
      expect([of, await subjects(['1', '2'].map((ref) => ({ ref, of })))]).toEqual([of, []]);
  });

  it('D-37 does not report a company again for five months, also if its newest posting has an older date now', async () => {
    const reportedAfter = (month: string) => subjects(two, {}, { known: [`insight:c:acme:${month}`] });
    for (const month of ['2026-01', '2025-12', '2025-08', '2026-02', '2026-06'])
      expect([month, await reportedAfter(month)]).toEqual([month, []]);
    for (const month of ['2025-07', '2026-07'])
      expect([month, await reportedAfter(month)]).toHaveProperty('1.length', 1);
  });

  it('D-37 counts all and shows the newest twenty', async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({
      ref: String(index).padStart(2, '0'),
      at: new Date(Date.UTC(2025, 11, 1 + index)).toISOString(),
    }));
    const [insight, ...others] = await found(many);
    expect(others).toEqual([]);
    expect(insight?.data).toMatchObject({ summary: '25 postings of acme are about CRM' });
    const shown = Object(insight?.data).job_postings;
    expect(shown).toHaveLength(20);
    expect(shown[0].url).toMatch(/24$/);
    expect(shown[19].url).toMatch(/05$/);
  });

  it('D-37 orders by newest posting, then by company, for any page size and for a moment on several pages', async () => {
    // Refs of postings in the opposite order of those of companies.
    const companies = ['c:a', 'c:b', 'c:c', 'c:d', 'c:e'];
    const postings = [
      ...companies.map((of, index) => ({ ref: `older-${index}`, of, at: '2026-01-01' })),
      ...companies.map((of, index) => ({ ref: `p${9 - index}`, of })),
      { ref: '0', of: 'c:first', at: '2026-01-02' },
      { ref: '00', of: 'c:first', at: '2026-01-02' },
    ];
    const inOrder = ['c:first', ...companies].map((company) => `insight:${company}:2026-01`);
    for (const limit of [1, 2, 3, 50])
      expect([limit, await subjects(postings, {}, { limit })]).toEqual([limit, inOrder]);
  });

  it('is narrowed to the accounts of a launch, and reads nothing without words', async () => {
    const postings = [...two, { ref: '3', of: 'c:other' }, { ref: '4', of: 'c:other' }];
    expect(await subjects(postings, {}, { accounts: ['c:other'] })).toEqual(['insight:c:other:2026-01']);
    const unasked = sampleRun({ parameters: { topic: 'what is it' } });
    expect((await jobPostingInsightDetector.find(unasked, null, 50)).matches).toEqual([]);
  });
});
