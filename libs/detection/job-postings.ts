import type { ObservedJobPosting } from '#network/network-source.port.js';
import { capturedPosting } from './contents.js';
import type { Finding } from './finding.js';
import { authorOf, capped, shortUrl } from './observed-facts.js';

/** A signal of one job posting: about its company, with the hiring manager as the lead, who may work elsewhere. */
export function postingFinding(
  signalType: 'jobPosting' | 'jobPostingKeywordDetection' | 'jobPostingHiringManager',
  posting: ObservedJobPosting,
  { keywordsFound = null }: { readonly keywordsFound?: readonly string[] | null } = {},
): Finding {
  const { company, hiringManager } = posting;
  return {
    subject: `job_posting:${posting.ref}`,
    signalType,
    signalDate: posting.postedAt,
    company,
    lead: hiringManager,
    contents: [capturedPosting(posting)],
    data: {
      job_posting: {
        title: capped(posting.title),
        url: shortUrl(posting.url),
        location: capped(posting.location),
        posted_at: posting.postedAt,
        company_name: capped(company?.name ?? null),
      },
      keywords_found: keywordsFound,
      hiring_manager: hiringManager && authorOf(hiringManager),
    },
  };
}
