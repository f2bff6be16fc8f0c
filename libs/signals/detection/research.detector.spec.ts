import type { JsonValue } from '#kernel/values/json.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { NetworkSource, ObservedPost } from '#network/network-source.port.js';
import { researchDetector } from './research.detector.js';
import type { Passage } from './research/passage.js';
import type { Question, Research, ResearchLimits } from './research/researcher.port.js';
import {
  sampleCompany,
  sampleLocation,
  samplePersona,
  sampleRun,
  type SampleRun,
} from './testing/sample-run.js';
import { samplePost } from './testing/sample-texts.js';

const IN_FRANCE = [sampleLocation({ isHq: true, country: 'France' })];
const SAP = { question: 'Does the company run SAP?' };

const french = (name: string, tagline: string | null = 'SAP inside'): CompanyFacts =>
  sampleCompany({ ref: `c:${name}`, locations: IN_FRANCE, tagline });

/** A network of companies that publish only their tagline, and these posts. */
function networkOf(companies: readonly CompanyFacts[], posts: readonly ObservedPost[] = []) {
  const sorted = companies.toSorted((left, right) => (left.ref < right.ref ? -1 : 1));
  const byWindow: NetworkSource['posts'] = async ({ whose, after, until, position = null }) => ({
    items: posts.filter(
      ({ author, publishedAt, position: at }) =>
        whose?.companyRefs.includes(author?.company?.ref ?? '') === true &&
        Date.parse(publishedAt) > after.getTime() &&
        Date.parse(publishedAt) <= until.getTime() &&
        (position === null || at > position),
    ),
    next: null,
  });
  const none = async () => ({ items: [], next: null });
  return {
    source: {
      posts: byWindow,
      jobPostings: none,
      companyEvents: none,
      beforeNewestPosts: async () => null,
      beforeNewestJobPostings: async () => null,
    },
    directory: {
      companiesByRef: async (after: string | null, limit: number) =>
        sorted.filter(({ ref }) => after === null || ref > after).slice(0, limit),
      companies: async (refs: readonly string[]) =>
        new Map(companies.filter(({ ref }) => refs.includes(ref)).map((company) => [company.ref, company])),
    },
  };
}

const run = (companies: readonly CompanyFacts[], more: SampleRun = {}) =>
  sampleRun({
    parameters: SAP,
    signalTypes: ['deepSearch'],
    persona: samplePersona({ jobTitles: ['CTO'] }),
    ...networkOf(companies),
    ...more,
  });

const subjectsIn = ({ matches }: { readonly matches: readonly { readonly subject: string }[] }) =>
  matches.map(({ subject }) => subject.split(':').slice(1, 3).join(':'));

/** All pages of a run, and the subjects of each. */
async function pagesOf(about: SampleRun | ReturnType<typeof sampleRun>, limit = 50) {
  const pages: { readonly found: readonly string[]; readonly incomplete?: string }[] = [];
  for (let resume: JsonValue = null; ;) {
    const page = await researchDetector.find(sampleRun(about), resume, limit);
    const { incomplete } = page;
    pages.push({ found: subjectsIn(page), ...(incomplete !== undefined && { incomplete }) });
    if (!page.more) return pages;
    resume = page.resume;
  }
}
/** The `resume` of the last page of a run. */
async function endOf(about: SampleRun): Promise<JsonValue> {
  for (let resume: JsonValue = null; ;) {
    const page = await researchDetector.find(sampleRun(about), resume, 50);
    if (!page.more) return page.resume;
    resume = page.resume;
  }
}
const foundBy = async (about: SampleRun): Promise<readonly string[]> =>
  (await pagesOf(about)).flatMap(({ found }) => found);

/** A researcher with given answers, which records the companies it was asked about. */
function asking(answer: (index: number) => Research, limits: Partial<ResearchLimits> = {}) {
  const asked: string[] = [];
  return {
    asked,
    researcher: {
      limits: { questionsAtOnce: 4, questionsPerRun: 1_000, ...limits },
      async research(_question: Question, [passage]: readonly Passage[]) {
        asked.push(passage?.ref ?? '');
        return answer(asked.length - 1);
      },
    },
  };
}
const answeredBy = (companies: readonly CompanyFacts[], answer: (index: number) => Research) =>
  run(companies, asking(answer));
const YES: Research = { outcome: 'answered', answer: 'yes', evidence: [0] };
const NONE: Research = { outcome: 'unanswered' };
const AWAY: Research = { outcome: 'unavailable' };
const many = (count: number): readonly CompanyFacts[] =>
  Array.from({ length: count }, (_, index) => french(String(index).padStart(4, '0')));

describe('the research detector', () => {
  it('D-84 reports question and answer, with the passages', async () => {
    const author = { entity: 'company', company: french('acme') } as const;
    const post = (ref: string, publishedAt: string, text: string, url: string | null): ObservedPost =>
      samplePost({ ref, url, text, publishedAt, authorRef: 'c:acme', author });
    const posts = [
      post('1', '2026-01-02T09:00:00.000Z', `Hello. We run SAP ${'x'.repeat(300)}`, 'https://a.example/1'),
      post('2', '2026-01-03T09:00:00.000Z', 'SAP S/4 goes live.\nCome and see', null),
    ];
    const { matches } = await researchDetector.find(
      run([], networkOf([french('acme', 'All about SAP')], posts)),
      null,
      50,
    );
    expect(matches).toMatchObject([
      {
        // printf '["does the company run sap?","yes_no",[]]' | sha256sum
        subject: 'research:c:acme:7f832f09ce166240:yes',
        chargeKey: 'research:c:acme:7f832f09ce166240:yes',
        signalType: 'deepSearch',
        signalDate: '2026-01-03T09:00:00.000Z',
        sourceUrl: 'https://a.example/1',
        excerpt: 'SAP S/4 goes live.',
        priority: 1,
        priced: true,
        contents: [],
        lead: null,
        author: null,
        details: { action_date: '2026-01-03T09:00:00.000Z' },
        data: {
          question: 'Does the company run SAP?',
          answer: 'yes',
          evidence: [
            { url: null, extract: 'SAP S/4 goes live.' },
            { url: 'https://a.example/1', extract: `We run SAP ${'x'.repeat(269)}` },
            { url: null, extract: 'All about SAP' },
          ],
          facts: null,
        },
      },
    ]);
  });

  it('D-84 has no date if no passage has one', async () => {
    const { matches } = await researchDetector.find(run([french('acme')]), null, 50);
    expect(matches).toMatchObject([
      { signalDate: null, sourceUrl: null, excerpt: 'SAP inside', details: {} },
    ]);
  });

  it('D-84 names choices as the setup spells them, and its subjects by question, choices and answer', async () => {
    const parameters = { question: 'Which ERP?', answer_type: 'choice', choices: ['Oracle', 'SAP R/3'] };
    const companies = [french('acme', 'Our ERP: sap r/3')];
    const find = async (asked: object) =>
      (await researchDetector.find(run(companies, { parameters: { ...parameters, ...asked } }), null, 50))
        .matches;
    const [match, ...others] = await find({});
    expect(others).toEqual([]);
    expect(match).toMatchObject({ data: { question: 'Which ERP?', answer: 'SAP R/3' } });
    expect(match?.subject).toMatch(/^research:c:acme:[0-9a-f]{16}:sap r\/3$/);
    expect((await find({ question: ' WHICH erp? ', choices: ['ORACLE', 'SAP R/3'] }))[0]?.subject).toBe(
      match?.subject,
    );
    for (const other of [
      { question: 'Which ERP' },
      { choices: ['SAP R/3', 'Oracle'] },
      { choices: ['SAP R/3'] },
    ])
      expect((await find(other))[0]?.subject).not.toBe(match?.subject);
  });

  it('D-82 reads the companies of the market with a matching passage, in the order of their refs', async () => {
    const companies = [
      french('b'),
      french('a'),
      french('silent', null),
      french('other', 'CRM inside'),
      sampleCompany({ ref: 'c:abroad', tagline: 'SAP inside' }),
    ];
    expect(await foundBy(run(companies))).toEqual(['c:a', 'c:b']);
    expect(await foundBy(run(companies, { persona: null }))).toEqual([]);
  });

  it('D-82 finds nothing if the question has no word, whatever the choices', async () => {
    const parameters = { question: 'What do you use?', answer_type: 'choice', choices: ['SAP'] };
    expect(await foundBy({ ...run([french('acme')]), parameters })).toEqual([]);
  });

  it('D-82 asks about a company whose passages mention only a choice', async () => {
    const { asked, researcher } = asking(() => NONE);
    const parameters = { question: 'Which ERP?', answer_type: 'choice', choices: ['SAP'] };
    await foundBy(run([french('acme')], { parameters, researcher }));
    expect(asked).toEqual(['c:acme']);
  });

  it('D-19 D-16 reads covered companies outside the market too, for free, and only them in a pass', async () => {
    const companies = [french('a'), sampleCompany({ ref: 'c:abroad', tagline: 'SAP inside' })];
    const covered = async () => new Set(['c:abroad']);
    const { matches } = await researchDetector.find(run(companies, { watched: { covered } }), null, 50);
    expect(matches.map(({ subject, priced }) => [subject.split(':')[2], priced])).toEqual([
      ['a', true],
      ['abroad', false],
    ]);
    const accounts = async () => ['c:unknown', 'c:abroad'];
    expect(await foundBy(run(companies, { watched: { covered, accounts } }))).toEqual(['c:abroad']);
  });

  it('D-83 asks only about covered companies once it is dry', async () => {
    const { asked, researcher } = asking(() => YES);
    const companies = [french('a'), french('b'), french('c')];
    const covered = async () => new Set(['c:b']);
    expect(await foundBy(run(companies, { dry: true, researcher, watched: { covered } }))).toEqual(['c:b']);
    expect(asked).toEqual(['c:b']);
  });

  it('D-83 reports only yes and choices, and only with evidence', async () => {
    for (const research of [
      NONE,
      { ...YES, answer: 'no' },
      { ...YES, evidence: [] },
      { ...YES, evidence: [7] },
    ] satisfies Research[])
      expect(await foundBy(answeredBy([french('a')], () => research))).toEqual([]);
  });

  it('D-83 asks four at a time and stores the answers before it asks more', async () => {
    const pages = await pagesOf(answeredBy(many(10), () => YES));
    expect(pages.map(({ found }) => found.length)).toEqual([4, 4, 2]);
  });

  it('D-83 asks about no company twice in a run', async () => {
    const { asked, researcher } = asking((index) => (index % 2 === 0 ? YES : NONE));
    const pages = await pagesOf(run(many(9), { researcher }));
    expect(pages.flatMap(({ found }) => found)).toHaveLength(5);
    expect(asked).toHaveLength(9);
    expect(new Set(asked).size).toBe(9);
  });

  it('D-83 asks a thousand questions per run', async () => {
    const { asked, researcher } = asking(() => NONE, { questionsPerRun: 10 });
    expect(await pagesOf(run(many(25), { researcher }))).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ incomplete: expect.anything() })]),
    );
    expect(asked).toHaveLength(10);
  });

  it('OP-62 asks about no company that the launch may not report', async () => {
    const { asked, researcher } = asking(() => YES);
    const enabled = async (companies: readonly CompanyFacts[]) =>
      companies.filter(({ ref }) => ref !== 'c:b');
    const companies = [french('a'), french('b'), french('c')];
    expect(await foundBy(run(companies, { researcher, watched: { enabled } }))).toEqual(['c:a', 'c:c']);
    expect(asked).toEqual(['c:a', 'c:c']);
  });

  it('D-83 begins with the companies that the previous run left, and goes on from the first', async () => {
    const companies = many(25);
    const asked: (readonly string[])[] = [];
    let previous: JsonValue = null;
    for (let runs = 0; runs < 4; runs += 1) {
      const next = asking(() => NONE, { questionsPerRun: 10 });
      const before = previous;
      previous = await endOf(run(companies, { ...next, previousEnd: async () => before }));
      asked.push(next.asked);
    }
    const numbers = asked.map((refs) => refs.map((ref) => Number(ref.slice(2))));
    const upTo = (from: number, end: number): readonly number[] =>
      Array.from({ length: end - from }, (_, index) => from + index);
    expect(numbers).toEqual([upTo(0, 10), upTo(10, 20), [...upTo(20, 25), ...upTo(0, 5)], upTo(5, 15)]);
  });

  it('D-83 asks about each company once if the run begins in the middle', async () => {
    const stopped = { after: 'c:0004', asked: 100, failed: 0 };
    const next = asking(() => NONE, { questionsPerRun: 100 });
    await pagesOf(run(many(9), { ...next, previousEnd: async () => stopped }));
    expect(next.asked).toEqual(['5', '6', '7', '8', '0', '1', '2', '3', '4'].map((digit) => `c:000${digit}`));
  });

  it('D-83 begins with the first company if the previous run asked about all', async () => {
    const whole = asking(() => NONE, { questionsPerRun: 10 });
    const end = await endOf(run(many(9), whole));
    const next = asking(() => NONE, { questionsPerRun: 10 });
    await pagesOf(run(many(9), { ...next, previousEnd: async () => end }));
    expect(next.asked).toEqual(whole.asked);
  });

  it('D-83 continues if a question could not be asked, and reports it', async () => {
    const pages = await pagesOf(answeredBy(many(6), (index) => (index === 1 ? AWAY : YES)));
    expect(pages.flatMap(({ found }) => found)).toHaveLength(5);
    expect(pages.map(({ incomplete }) => incomplete)).toEqual(['research_unavailable', undefined]);
  });

  it('D-83 stops after five questions in a row that could not be asked; a bad answer does not count', async () => {
    const away = asking(() => AWAY);
    await pagesOf(run(many(20), away));
    expect(away.asked).toHaveLength(5);
    const bad = asking((index) => (index % 5 === 4 ? NONE : AWAY));
    await pagesOf(run(many(20), bad));
    expect(bad.asked).toHaveLength(20);
  });

  it('D-06 D-84 does not ask again if no answer could be reported', async () => {
    const { asked, researcher } = asking(() => YES);
    const known = async (subjects: readonly string[]) =>
      new Set(subjects.filter((subject) => subject.includes(':a:')));
    expect(await foundBy(run([french('a'), french('b')], { researcher, known }))).toEqual(['c:b']);
    expect(asked).toEqual(['c:b']);
  });

  it('D-84 SRC-04 does not ask again about a company that a source had made and that is observed now', async () => {
    const { asked, researcher } = asking(() => YES);
    const known = async (subjects: readonly string[]) =>
      new Set(subjects.filter((subject) => subject.startsWith('research:domain:a.example:')));
    const observed = { ...french('a'), domains: ['a.fr', 'a.example'] };
    expect(await foundBy(run([observed, french('b')], { researcher, known }))).toEqual(['c:b']);
    expect(asked).toEqual(['c:b']);
  });

  it('skips any number of companies that need no question', async () => {
    const strangers = Array.from({ length: 4_500 }, (_, index) =>
      sampleCompany({ ref: `c:${10_000 + index}` }),
    );
    expect(await foundBy(run([...strangers, french('z')]))).toEqual(['c:z']);
  });

  it('ends when the run is stopped', async () => {
    const stopping = new AbortController();
    const researcher = {
      limits: null,
      research: (_question: Question, _passages: readonly Passage[], signal: AbortSignal) =>
        new Promise<Research>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          stopping.abort();
        }),
    };
    await expect(foundBy(run([french('a')], { researcher, signal: stopping.signal }))).rejects.toThrow(
      'stopped',
    );
  });
});
