import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { ObservedJobPosting } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { detector, oneByOne } from './detector.js';
import type { Finding } from './finding.js';
import { postingFinding } from './job-postings.js';
import { windowOf } from './window.js';

const Parameters = Type.Object({
  tracking_keywords: Type.Optional(Type.Array(Type.String())),
  search_in: Type.Optional(Type.Array(OneOf('title', 'description'))),
  remote_only: Type.Optional(Type.Boolean()),
  max_posts_to_scrape: Type.Optional(Type.Integer()),
});
type Parameters = Static<typeof Parameters>;

/** Job postings that mention keywords (OP-69), oldest first. */
export const keywordJobPostingDetector = detector({
  kind: 'keyword_job_posting',
  signalTypes: ['jobPostingKeywordDetection'],
  directions: ['single'],
  audiences: ['network', 'top_accounts', 'covered_accounts'],
  arrivals: ['job_posting'],
  needsKeyword: true,
  templates: [{ kind: 'job_posting', signalTypes: ['jobPostingKeywordDetection'] }],
  parameters: Parameters,
  async search({ source, watched, parameters, ...run }) {
    const { tracking_keywords: keywords = [], max_posts_to_scrape: most } = parameters;
    const companyRefs = await watched.accounts();
    const window = { ...windowOf(run), ...(companyRefs === null ? {} : { companyRefs }) };
    const found = keywordsOf(parameters, keywords);
    return {
      ...(most !== undefined && { start: () => source.beforeNewestJobPostings(window, most) }),
      read: (resume, limit) =>
        source.jobPostings({ ...window, keywords, position: positionFrom(resume), limit }),
      judge: oneByOne((posting: ObservedJobPosting) => findingOf(posting, found(posting))),
    };
  },
});

/**
 * The keywords that a posting mentions in the searched parts, in the order of the keywords; none if only remote
 * positions are wanted and it is not remote.
 */
function keywordsOf(
  { search_in: parts = [], remote_only }: Parameters,
  keywords: readonly string[],
): (posting: ObservedJobPosting) => readonly string[] {
  const looksAt = (part: 'title' | 'description'): boolean => parts.length === 0 || parts.includes(part);
  const find = keywordMatcher(keywords, 'any');
  const isRemote = keywordMatcher(['remote'], 'any');
  return ({ title, description, location }) => {
    if (remote_only === true && isRemote(location ?? '').length === 0) return [];
    const inTitle = looksAt('title') ? find(title ?? '') : [];
    const inDescription = looksAt('description') ? find(description ?? '') : [];
    const found = new Set([...inTitle, ...inDescription]);
    return [...new Set(keywords)].filter((keyword) => found.has(keyword));
  };
}

function findingOf(posting: ObservedJobPosting, keywordsFound: readonly string[]): Finding | null {
  if (keywordsFound.length === 0) return null;
  return postingFinding('jobPostingKeywordDetection', posting, { keywordsFound });
}
