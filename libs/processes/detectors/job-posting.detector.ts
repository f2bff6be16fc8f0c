import { firstCharacters } from '#kernel/first-characters.js';
import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type {
  JobPostingPosition,
  JobPostingWindow,
  ObservedJobPosting,
} from '#network/network-source.port.js';
import type { Detector, DetectorSources, Match } from './detector.js';
import { matchPage } from './match-page.js';
import {
  authorOf,
  capped,
  companyAuthor,
  EXCERPT_LENGTH,
  employersOf,
  observedCompanyOf,
  observedPersonOf,
  placeOf,
  shortUrl,
  TEXT_LENGTH,
} from '#application/observed-facts.js';
import { texts } from './parameters.js';

const DAY_MS = 86_400_000;
const POSTINGS_A_READ = 100;
/** Reads of one page: past them it ends with what it has, so that a filter few postings pass leaves a trace. */
const READS_A_PAGE = 20;

/** Job postings that mention keywords (OP-69), oldest first. */
export const jobPostingDetector: Detector = async (sources, launch, cursor, limit, known) => {
  const window = windowOf(launch, sources);
  const keywords = texts(launch.parameters['tracking_keywords']);
  const found = keywordsOf(launch, keywords);
  let position = cursor === null ? await startOf(sources, launch, window) : readCursor(cursor);
  const page = matchPage(limit);
  for (let reads = 1; ; reads += 1) {
    const { postings, next } = await sources.source.jobPostings({
      ...window,
      keywords,
      position,
      limit: POSTINGS_A_READ,
    });
    const seen = await known(postings.map(subjectOf));
    const employers = await employersOf(
      sources.directory,
      postings.map(({ hiringManager }) => hiringManager),
    );
    for (const posting of postings) {
      const keywordsFound = seen.has(subjectOf(posting)) ? [] : found(posting);
      if (keywordsFound.length === 0) continue;
      if (!page.take(matchOf(posting, keywordsFound, employers)))
        return { matches: page.matches, cursor: writeCursor(position), more: true };
      position = { postedAt: posting.postedAt, ref: posting.ref };
    }
    if (next === null) return { matches: page.matches, cursor: writeCursor(position), more: false };
    position = next;
    if (reads >= READS_A_PAGE) return { matches: page.matches, cursor: writeCursor(position), more: true };
  }
};

const subjectOf = (posting: ObservedJobPosting): string => `job_posting:${posting.ref}`;

function windowOf({ now, lookbackDays }: RunLaunched, { watched }: DetectorSources): JobPostingWindow {
  const until = new Date(now);
  return {
    after: new Date(until.getTime() - lookbackDays * DAY_MS),
    until,
    ...(watched === undefined ? {} : { companyRefs: watched.companyRefs }),
  };
}

/** `max_posts_to_scrape` keeps the newest postings of the window; they are still looked at oldest first. */
async function startOf(
  { source }: DetectorSources,
  { parameters }: RunLaunched,
  window: JobPostingWindow,
): Promise<JobPostingPosition | null> {
  const most = parameters['max_posts_to_scrape'];
  return typeof most === 'number' ? source.jobPostingBeforeNewest(window, most) : null;
}

/**
 * The keywords that a posting mentions in the parts that are looked at, in the order of the keywords; none for a
 * posting that is passed over because only remote positions are wanted.
 */
function keywordsOf(
  { parameters }: RunLaunched,
  keywords: readonly string[],
): (posting: ObservedJobPosting) => readonly string[] {
  const parts = texts(parameters['search_in']);
  const looksAt = (part: string): boolean => parts.length === 0 || parts.includes(part);
  const find = keywordMatcher(keywords, 'any');
  const isRemote = keywordMatcher(['remote'], 'any');
  return ({ title, description, location }) => {
    if (parameters['remote_only'] === true && isRemote(location ?? '').length === 0) return [];
    const inTitle = looksAt('title') ? find(title ?? '') : [];
    const inDescription = looksAt('description') ? find(description ?? '') : [];
    const found = new Set([...inTitle, ...inDescription]);
    return [...new Set(keywords)].filter((keyword) => found.has(keyword));
  };
}

function matchOf(
  posting: ObservedJobPosting,
  keywordsFound: readonly string[],
  employers: ReadonlyMap<string, CompanyFacts>,
): Match {
  const { company, hiringManager } = posting;
  const whole = [posting.title, posting.description].filter((part) => part !== null).join('\n');
  const text = firstCharacters(whole, TEXT_LENGTH);
  return {
    subject: subjectOf(posting),
    signalType: 'jobPostingKeywordDetection',
    signalDate: posting.postedAt,
    sourceUrl: shortUrl(posting.url),
    // A signal about a company is of top priority (OP-19).
    priority: 1,
    priced: true,
    content: {
      ref: posting.ref,
      type: 'job_posting',
      facts: {
        url: shortUrl(posting.url),
        text,
        published_at: posting.postedAt,
        author: company === null ? null : companyAuthor(company),
        reaction_count: null,
        comment_count: null,
      },
    },
    company: company && observedCompanyOf(company),
    lead: hiringManager && observedPersonOf(hiringManager, employers),
    ...(hiringManager !== null &&
      (company === null || hiringManager.current?.companyRef !== company.ref) && {
        leadWorksElsewhere: true,
      }),
    leadPlace: hiringManager && placeOf(hiringManager),
    data: {
      job_posting: {
        title: capped(posting.title),
        url: shortUrl(posting.url),
        location: capped(posting.location),
        posted_at: posting.postedAt,
        company_name: capped(company?.name ?? null),
      },
      keywords_found: [...keywordsFound],
      hiring_manager: hiringManager && authorOf(hiringManager),
    },
    // No person is behind the posting of a company (OP-35).
    author: null,
    excerpt: text === '' ? null : firstCharacters(text, EXCERPT_LENGTH),
    details: {
      action_date: posting.postedAt,
      job_title: capped(posting.title),
      keywords: [...keywordsFound],
    },
  };
}

function writeCursor(position: JobPostingPosition | null): string {
  return JSON.stringify(position);
}

function readCursor(cursor: string): JobPostingPosition | null {
  return JSON.parse(cursor);
}
