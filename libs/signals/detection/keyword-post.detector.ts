import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import { countryMatcher, type Place } from '#identities/locations/places.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { Author, ObservedPost } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { capturedPost, contentAuthorOf } from './contents.js';
import { detector, oneByOne } from './detector.js';
import type { FindingOf } from './finding.js';
import { windowOf } from './window.js';
import { whose } from './whose.js';

const texts = Type.Optional(Type.Array(Type.String()));
const Parameters = Type.Object({
  tracking_keywords: texts,
  match_mode: Type.Optional(OneOf('any', 'all')),
  start_date: Type.Optional(Type.String()),
  filter_authors: Type.Optional(Type.Boolean()),
  author_roles: texts,
  countries: texts,
  max_posts_to_scrape: Type.Optional(Type.Integer()),
});
type Parameters = Static<typeof Parameters>;

/** Posts that mention keywords (OP-69, OP-70), oldest first. */
export const keywordPostDetector = detector({
  kind: 'keyword_post',
  signalTypes: ['keywordDetection'],
  directions: ['single'],
  audiences: ['network', 'list_members', 'top_accounts', 'covered_accounts'],
  arrivals: ['post'],
  needsKeyword: true,
  templates: [{ kind: 'keyword_post', signalTypes: ['keywordDetection'] }],
  parameters: Parameters,
  async search(run) {
    const { tracking_keywords: keywords = [], match_mode: mode = 'any' } = run.parameters;
    const { start_date, max_posts_to_scrape: most } = run.parameters;
    const authors = await whose(run.watched, run.directory);
    const window = { ...windowOf(run, start_date), ...(authors === null ? {} : { whose: authors }) };
    const passes = authorFilter(run.parameters);
    return {
      ...(most !== undefined && { start: () => run.source.beforeNewestPosts(window, most) }),
      read: (resume, limit) =>
        run.source.posts({ ...window, keywords, mode, position: positionFrom(resume), limit }),
      judge: oneByOne((post: ObservedPost) => (passes(post.author) ? findingOf(post) : null)),
    };
  },
});

/** The author conditions of a setup; an unknown fact about an author does not meet a condition (D-11). */
function authorFilter({
  filter_authors,
  author_roles,
  countries: wanted = [],
}: Parameters): (author: Author | null) => boolean {
  const roles = filter_authors === true ? (author_roles ?? []) : [];
  const isThere = countryMatcher(wanted);
  const findRole = keywordMatcher(roles, 'any');
  return (author) => {
    if (roles.length > 0) {
      if (author?.entity !== 'person') return false;
      const { current, headline } = author.person;
      if (![current?.title, headline].some((text) => typeof text === 'string' && findRole(text).length > 0))
        return false;
    }
    return wanted.length === 0 || isThere(placeOf(author));
  };
}

/** The place of the author; for a company page, its first location. */
function placeOf(author: Author | null): Place | null {
  if (author === null) return null;
  return author.entity === 'person' ? author.person.geo : (author.company.locations[0] ?? null);
}

function findingOf(post: ObservedPost): FindingOf<'keywordDetection'> {
  const { author } = post;
  return {
    subject: `post:${post.ref}`,
    signalType: 'keywordDetection',
    signalDate: post.publishedAt,
    company: author === null ? null : author.company,
    lead: author?.entity === 'person' ? author.person : null,
    contents: [capturedPost(post)],
    readings: [post.reading],
    data: { content_id: null, author: contentAuthorOf(author), keywords_found: post.keywordsFound },
  };
}
