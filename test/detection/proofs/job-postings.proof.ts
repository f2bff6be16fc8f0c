import fc from 'fast-check';
import { byCodePoints, inWindow, iso, type World } from './naive-world.js';
import {
  accountsOf,
  codesNamed,
  contains,
  folded,
  seniorityOf,
  shownPerson,
  texts,
  worth,
} from './naive-words.js';
import type { DetectorProof, KilledRun, NaiveFinding, NaiveLaunch, Observed } from './proof.js';
import { daysBefore, seenCompany, seenPerson } from './seen.js';
import { launchOf, maybe, networkOf, one } from './random-network.js';

/** Postings in the window, limited to the accounts of the launch (2.2). */
function candidates(world: World, launch: NaiveLaunch): readonly Observed[] {
  const accounts = accountsOf(launch);
  return inWindow(world.all('job_posting'), 'posted_at', launch).filter(
    ({ company_ref }) => accounts === null || accounts.includes(company_ref),
  );
}

const companyOf = (world: World, posting: Observed): Observed | null =>
  world.known('company', posting.company_ref);

/** The finding of one posting. */
function finding(
  world: World,
  launch: NaiveLaunch,
  posting: Observed,
  signalType: NaiveFinding['signalType'],
  keywords: readonly string[] | null = null,
): NaiveFinding {
  const company = companyOf(world, posting);
  const manager = world.known('person', posting.hiring_manager_ref);
  const about = { company: company?.ref ?? null, lead: manager?.ref ?? null };
  return {
    subject: `job_posting:${posting.ref}`,
    signalType,
    signalDate: iso(posting.posted_at),
    ...about,
    ...worth(world, launch, about),
    sourceUrl: posting.url ?? null,
    author: null,
    data: {
      job_posting: {
        title: posting.title ?? null,
        url: posting.url ?? null,
        location: posting.location ?? null,
        posted_at: iso(posting.posted_at),
        company_name: company?.name ?? null,
      },
      keywords_found: keywords,
      hiring_manager: manager === null ? null : shownPerson(world, manager.ref),
    },
  };
}

const isTitled = (posting: Observed, launch: NaiveLaunch): boolean =>
  texts(launch.parameters['job_titles']).some((title) => contains(posting.title, title));

function keywordPostings(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const { tracking_keywords, search_in, remote_only, max_posts_to_scrape } = launch.parameters;
  const parts = texts(search_in);
  const looksAt = (part: string): boolean => parts.length === 0 || parts.includes(part);
  return candidates(world, launch)
    .slice(-Number(max_posts_to_scrape ?? Infinity))
    .flatMap((posting) => {
      const found = [...new Set(texts(tracking_keywords))].filter(
        (keyword) =>
          (looksAt('title') && contains(posting.title, keyword)) ||
          (looksAt('description') && contains(posting.description, keyword)),
      );
      if (found.length === 0 || (remote_only === true && !contains(posting.location, 'remote'))) return [];
      return [finding(world, launch, posting, 'jobPostingKeywordDetection', found)];
    });
}

/** The countries of the locations in the random networks (OP-52). */
const COUNTRIES_OF: { readonly [location: string]: readonly string[] } = {
  'Paris, France': ['FR'],
  'Berlin, Germany': ['DE'],
  'Remote, France': ['FR'],
};

function newPostings(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const locations = texts(launch.parameters['locations']);
  const isThere = ({ location }: Observed): boolean =>
    locations.length === 0 ||
    locations.some(
      (wanted) =>
        wanted.split(',').every((part) => contains(location, part)) ||
        codesNamed(wanted).some((code) => COUNTRIES_OF[location]?.includes(code)),
    );
  return candidates(world, launch)
    .filter((posting) => isTitled(posting, launch) && isThere(posting))
    .map((posting) => finding(world, launch, posting, 'jobPosting'));
}

function hiringManagers(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const wanted = texts(launch.parameters['seniority']);
  return candidates(world, launch)
    .filter((posting) => isTitled(posting, launch))
    .filter(({ hiring_manager_ref: ref }) => world.known('person', ref) !== null)
    .filter(
      ({ hiring_manager_ref: ref }) =>
        wanted.length === 0 || wanted.includes(seniorityOf(world.position(ref)?.seniority) ?? '?'),
    )
    .map((posting) => finding(world, launch, posting, 'jobPostingHiringManager'));
}

const STOP = new Set('a about the for of our to in what is it'.split(' '));

/** This many months before a month (`2026-01`); a negative number: after it. */
const monthBefore = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - months, 1)).toISOString().slice(0, 7);
};

/** D-36, D-37. */
function insights(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const topic = String(launch.parameters['topic']);
  const alternatives = topic
    .split(/[,;\n]/)
    .map((text) => (folded(text).match(/\w+/g) ?? []).filter((word) => word.length > 1 && !STOP.has(word)))
    .filter((words) => words.length > 0);
  const supporting = candidates(world, launch).filter(({ title, description }) =>
    alternatives.some((words) => words.every((word) => contains(title, word) || contains(description, word))),
  );
  const found = world.all('company').flatMap((company): readonly NaiveFinding[] => {
    const own = supporting.filter(({ company_ref }) => company_ref === company.ref).toReversed();
    const [newest] = own;
    if (newest === undefined || own.length < Number(launch.parameters['min_postings'] ?? 2)) return [];
    const month = iso(newest.posted_at).slice(0, 7);
    const quiet = [1, 2, 3, 4, 5, -1, -2, -3, -4, -5].map(
      (months) => `insight:${company.ref}:${monthBefore(month, months)}`,
    );
    if (quiet.some((subject) => launch.reported.includes(subject))) return [];
    return [
      {
        subject: `insight:${company.ref}:${month}`,
        signalType: 'jobPostingInsight',
        signalDate: iso(newest.posted_at),
        company: company.ref,
        lead: null,
        ...worth(world, launch, { company: company.ref, lead: null }),
        sourceUrl: newest.url ?? null,
        author: null,
        data: {
          topic,
          job_postings: own.slice(0, 20).map(({ title = null, url = null }: Observed) => ({ title, url })),
          summary: `${own.length} postings of ${company.name ?? 'a company'} are about ${topic}`,
        },
      },
    ];
  });
  return found.sort(
    (left, right) =>
      Date.parse(left.signalDate ?? '') - Date.parse(right.signalDate ?? '') ||
      byCodePoints(left.company ?? '', right.company ?? ''),
  );
}

const network = networkOf({ company: 3, person: 4, job_posting: 10 });
const audiences = one(['network'], ['network'], ['covered_accounts'], ['top_accounts']) as fc.Arbitrary<
  NaiveLaunch['audiences']
>;
const job_titles = one(['crm', 'ERP'], ['sales', 'data', 'migration'], ['for the']);

/** Four postings of two companies, with one hiring manager. */
const POSTINGS: KilledRun['observations'] = (now) => [
  seenCompany('acme'),
  seenCompany('globex'),
  seenPerson('ana', 'acme'),
  ...['acme', 'globex', 'acme', 'globex'].map((company, index) => ({
    kind: 'job_posting',
    ref: `job:${index + 1}`,
    company_ref: `c:${company}`,
    title: 'CRM admin',
    location: 'Paris, France',
    ...(index > 0 && { hiring_manager_ref: 'p:ana' }),
    posted_at: daysBefore(now, 9 - index),
  })),
];
/** A run over them whose second company is covered. */
const killed = (
  title: string,
  signalType: NaiveFinding['signalType'],
  parameters: KilledRun['launch']['parameters'],
  finds: readonly string[],
  pays: number,
): KilledRun => ({
  title,
  observations: POSTINGS,
  launch: { signalTypes: [signalType], audiences: ['network'], parameters },
  covered: ['c:globex'],
  finds: [finds],
  pays,
});

export const jobPostingProofs: readonly DetectorProof[] = [
  {
    kind: 'keyword_job_posting',
    random: {
      rules: 'D-01 D-02 D-05 D-11 OP-69 postings with keywords',
      network,
      launch: launchOf({
        signalTypes: fc.constant(['jobPostingKeywordDetection']),
        audiences,
        parameters: fc.record({
          tracking_keywords: one(['CRM'], ['data', 'crm', 'sales'], ['erp', 'remote']),
          search_in: maybe(one([], ['title'], ['description'], ['description', 'title'])),
          remote_only: maybe(fc.boolean()),
          max_posts_to_scrape: maybe(one(1, 3, 5)),
        }),
      }),
      reference: keywordPostings,
    },
    killed: killed(
      'of four postings two are of a covered account',
      'jobPostingKeywordDetection',
      { tracking_keywords: ['crm'] },
      ['job_posting:job:1', 'job_posting:job:2', 'job_posting:job:3', 'job_posting:job:4'],
      2,
    ),
  },
  {
    kind: 'new_job_posting',
    random: {
      rules: 'D-11 D-20 OP-52 new postings',
      network,
      launch: launchOf({
        signalTypes: fc.constant(['jobPosting']),
        audiences,
        parameters: fc.record({
          job_titles,
          locations: maybe(one([], ['france'], ['Paris', 'DE'], ['Europe'], ['France, Paris'], ['remote'])),
        }),
      }),
      reference: newPostings,
    },
    killed: killed(
      'of four postings in France two are of a covered account',
      'jobPosting',
      { job_titles: ['crm'], locations: ['France'] },
      ['job_posting:job:1', 'job_posting:job:2', 'job_posting:job:3', 'job_posting:job:4'],
      2,
    ),
  },
  {
    kind: 'hiring_manager',
    random: {
      rules: 'D-11 D-12 D-23 hiring managers',
      network,
      launch: launchOf({
        signalTypes: fc.constant(['jobPostingHiringManager']),
        audiences,
        parameters: fc.record({
          job_titles,
          seniority: maybe(one([], ['vp', 'c_suite'], ['head'])),
        }),
      }),
      reference: hiringManagers,
    },
    killed: killed(
      'of three postings with a manager two are of a covered account',
      'jobPostingHiringManager',
      { job_titles: ['crm'] },
      ['job_posting:job:2', 'job_posting:job:3', 'job_posting:job:4'],
      1,
    ),
  },
  {
    kind: 'job_posting_insight',
    random: {
      rules: 'D-11 D-36 D-37',
      network,
      launch: launchOf({
        signalTypes: fc.constant(['jobPostingInsight']),
        audiences,
        parameters: fc.record({
          topic: one(
            'CRM',
            'CRM, ERP',
            'the CRM; data for sales',
            'about our data\nthe',
            'what is it',
            'erp migration, sales',
          ),
          min_postings: maybe(one(1, 2, 3)),
        }),
        reported: fc.subarray(
          ['2026-02', '2026-01', '2025-10', '2025-09', '2025-08'].map((month) => `insight:c:acme:${month}`),
          { maxLength: 2 },
        ),
      }),
      reference: insights,
    },
    killed: killed(
      'of two companies one is covered',
      'jobPostingInsight',
      { topic: 'CRM' },
      ['insight:c:acme:2026-02', 'insight:c:globex:2026-02'],
      1,
    ),
  },
];
