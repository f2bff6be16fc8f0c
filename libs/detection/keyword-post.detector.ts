import { firstCharacters } from '#kernel/values/first-characters.js';
import { fold } from '#kernel/values/text-folding.js';
import type { ContentAuthor } from '#domain/contents/content-facts.js';
import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { ObservedPost, PostAuthor, PostPosition, PostWindow } from '#network/network-source.port.js';
import type { DetectorSources, Match } from './detector.js';
import {
  authorOf,
  companyAuthor,
  EXCERPT_LENGTH,
  observedCompanyOf,
  observedPersonOf,
  placeOf,
  profileAuthor,
  shortUrl,
  TEXT_LENGTH,
} from './observed-facts.js';
import { texts } from './parameters.js';
import { personaMatcher } from './persona-match.js';
import { lookbackOf, textDetector } from './text-detector.js';

/** Posts that mention keywords (OP-69, OP-70), oldest first. */
export const keywordPostDetector = textDetector<ObservedPost, PostPosition>((sources, launch) => {
  const { source } = sources;
  const window = windowOf(launch, sources);
  const keywords = texts(launch.parameters['tracking_keywords']);
  const mode = launch.parameters['match_mode'] === 'all' ? 'all' : 'any';
  const passes = authorFilter(launch);
  const priorityOf = priorities(launch);
  return {
    beforeNewest: (count) => source.positionBeforeNewest(window, count),
    async read(position, limit) {
      const { posts, next } = await source.posts({ ...window, keywords, mode, position, limit });
      return { texts: posts.filter((post) => passes(post.author)), next };
    },
    positionOf: ({ publishedAt, ref }) => ({ publishedAt, ref }),
    subjectOf,
    personOf: ({ author }) => (author?.entity === 'person' ? author.person : null),
    matchOf: (post, employers) => matchOf(post, priorityOf(post.author), employers),
  };
});

const subjectOf = (post: ObservedPost): string => `post:${post.ref}`;

function windowOf(launch: RunLaunched, { watched }: DetectorSources): PostWindow {
  const startDate = launch.parameters['start_date'];
  return {
    ...lookbackOf(launch),
    ...(watched === undefined ? {} : { scope: watched }),
    ...(typeof startDate === 'string' ? { from: new Date(`${startDate}T00:00:00.000Z`) } : {}),
  };
}

/** The author conditions of a setup; an author about whom the needed fact is unknown does not pass. */
function authorFilter({ parameters }: RunLaunched): (author: PostAuthor | null) => boolean {
  const roles = parameters['filter_authors'] === true ? texts(parameters['author_roles']) : [];
  const countries = new Set(texts(parameters['countries']).map(fold));
  const findRole = keywordMatcher(roles, 'any');
  return (author) => {
    if (roles.length > 0) {
      if (author?.entity !== 'person') return false;
      const { current, headline } = author.person;
      if (![current?.title, headline].some((text) => typeof text === 'string' && findRole(text).length > 0))
        return false;
    }
    return countries.size === 0 || countriesOf(author).some((country) => countries.has(fold(country)));
  };
}

function countriesOf(author: PostAuthor | null): readonly string[] {
  if (author === null) return [];
  const place = author.entity === 'person' ? author.person.geo : (author.company.locations[0] ?? null);
  return [place?.country, place?.countryCode].filter((country) => typeof country === 'string');
}

function matchOf(post: ObservedPost, priority: 1 | 2, employers: ReadonlyMap<string, CompanyFacts>): Match {
  const { author } = post;
  const person = author?.entity === 'person' ? author.person : null;
  const company = author === null ? null : author.company;
  const text = firstCharacters(post.text, TEXT_LENGTH);
  return {
    subject: subjectOf(post),
    signalType: 'keywordDetection',
    signalDate: post.publishedAt,
    sourceUrl: shortUrl(post.url),
    priority,
    // Only top-priority signals are paid for (OP-19).
    priced: priority === 1,
    content: {
      ref: post.ref,
      type: 'post',
      facts: {
        url: shortUrl(post.url),
        text,
        published_at: post.publishedAt,
        author: contentAuthorOf(author),
        reaction_count: post.reactionCount,
        comment_count: post.commentCount,
      },
    },
    company: company && observedCompanyOf(company),
    lead: person && observedPersonOf(person, employers),
    leadPlace: person && placeOf(person),
    data: { author: contentAuthorOf(author), keywords_found: post.keywordsFound },
    author: person && authorOf(person),
    excerpt: firstCharacters(text, EXCERPT_LENGTH),
    details: {
      post_text: text,
      action_date: post.publishedAt,
      interaction: 'post',
      keywords: post.keywordsFound,
    },
  };
}

function contentAuthorOf(author: PostAuthor | null): ContentAuthor | null {
  if (author === null) return null;
  return author.entity === 'person' ? profileAuthor(author.person) : companyAuthor(author.company);
}

/** A person who does not match the launch's persona is of second priority (OP-19). */
function priorities({ persona }: RunLaunched): (author: PostAuthor | null) => 1 | 2 {
  if (persona === null) return () => 1;
  const matches = personaMatcher(persona);
  return (author) => (author?.entity !== 'person' || matches(author.person) ? 1 : 2);
}
