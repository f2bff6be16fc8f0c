import type { JsonValue } from '#kernel/values/json.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { ObservedJobPosting, Page } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { capturedPosting } from './contents.js';
import type { DetectorRun } from './detector.js';
import type { FindingOf } from './finding.js';
import { bounded, boundedUrl } from '#kernel/values/bounded-text.js';
import { authorOf } from '#identities/observed-facts.js';
import { windowOf } from './window.js';

type PostingSignal = 'jobPosting' | 'jobPostingKeywordDetection' | 'jobPostingHiringManager';

/** The finding of one job posting: about its company, with the hiring manager as the lead, who may work elsewhere. */
export function postingFinding(
  signalType: PostingSignal,
  posting: ObservedJobPosting,
  { keywordsFound = null }: { readonly keywordsFound?: readonly string[] | null } = {},
): FindingOf<PostingSignal> {
  const { company, hiringManager } = posting;
  return {
    subject: `job_posting:${posting.ref}`,
    signalType,
    signalDate: posting.postedAt,
    company,
    lead: hiringManager,
    contents: [capturedPosting(posting)],
    readings: [posting.reading],
    data: {
      job_posting: {
        title: bounded(posting.title),
        url: boundedUrl(posting.url),
        location: bounded(posting.location),
        posted_at: posting.postedAt,
        company_name: bounded(company?.name ?? null),
      },
      keywords_found: keywordsFound,
      hiring_manager: hiringManager && authorOf(hiringManager),
    },
  };
}

/**
 * The postings of a run with a title that contains one of these, oldest first. The read itself may return others too.
 */
export async function titledPostings(
  { source, watched, ...run }: DetectorRun<unknown>,
  titles: readonly string[],
): Promise<{
  readonly read: (resume: JsonValue, limit: number) => Promise<Page<ObservedJobPosting>>;
  readonly isTitled: (posting: ObservedJobPosting) => boolean;
}> {
  const companyRefs = await watched.accounts();
  const window = { ...windowOf(run), ...(companyRefs === null ? {} : { companyRefs }) };
  const find = keywordMatcher(titles, 'any');
  return {
    read: (resume, limit) =>
      source.jobPostings({ ...window, keywords: titles, position: positionFrom(resume), limit }),
    isTitled: ({ title }) => title !== null && find(title).length > 0,
  };
}
