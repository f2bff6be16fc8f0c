import { firstCharacters } from '#kernel/values/first-characters.js';
import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type {
  JobPostingPosition,
  JobPostingWindow,
  ObservedJobPosting,
} from '#network/network-source.port.js';
import type { DetectorSources, Match } from './detector.js';
import {
  authorOf,
  capped,
  companyAuthor,
  EXCERPT_LENGTH,
  observedCompanyOf,
  observedPersonOf,
  placeOf,
  shortUrl,
  TEXT_LENGTH,
} from './observed-facts.js';
import { texts } from './parameters.js';
import { lookbackOf, textDetector } from './text-detector.js';

/** Job postings that mention keywords (OP-69), oldest first. */
export const jobPostingDetector = textDetector<ObservedJobPosting, JobPostingPosition>((sources, launch) => {
  const { source } = sources;
  const window = windowOf(launch, sources);
  const keywords = texts(launch.parameters['tracking_keywords']);
  const found = keywordsOf(launch, keywords);
  return {
    beforeNewest: (count) => source.jobPostingBeforeNewest(window, count),
    async read(position, limit) {
      const { postings, next } = await source.jobPostings({ ...window, keywords, position, limit });
      return { texts: postings, next };
    },
    positionOf: ({ postedAt, ref }) => ({ postedAt, ref }),
    subjectOf,
    personOf: ({ hiringManager }) => hiringManager,
    matchOf: (posting, employers) => {
      const keywordsFound = found(posting);
      return keywordsFound.length === 0 ? null : matchOf(posting, keywordsFound, employers);
    },
  };
});

const subjectOf = (posting: ObservedJobPosting): string => `job_posting:${posting.ref}`;

function windowOf(launch: RunLaunched, { watched }: DetectorSources): JobPostingWindow {
  return {
    ...lookbackOf(launch),
    ...(watched === undefined ? {} : { companyRefs: watched.companyRefs }),
  };
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
