import { firstCharacters } from '#kernel/first-characters.js';
import { fold } from '#kernel/text-folding.js';
import type { ContentAuthor } from '#domain/contents/content-facts.js';
import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { ObservedPost, PostAuthor, PostPosition, PostWindow } from '#network/network-source.port.js';
import type { Detector, DetectorSources, Match } from './detector.js';
import { matchPage } from './match-page.js';
import {
  authorOf,
  companyAuthor,
  EXCERPT_LENGTH,
  employersOf,
  observedCompanyOf,
  observedPersonOf,
  placeOf,
  profileAuthor,
  shortUrl,
  TEXT_LENGTH,
} from '#application/observed-facts.js';
import { texts } from './parameters.js';
import { personaMatcher } from './persona-match.js';

const DAY_MS = 86_400_000;
const POSTS_A_READ = 100;
/** Reads of one page: past them it ends with what it has, so that a filter few posts pass leaves a trace. */
const READS_A_PAGE = 20;

/** Posts that mention keywords (OP-69, OP-70), oldest first. */
export const keywordPostDetector: Detector = async (sources, launch, cursor, limit, known) => {
  const window = windowOf(launch, sources);
  const keywords = texts(launch.parameters['tracking_keywords']);
  const mode = launch.parameters['match_mode'] === 'all' ? 'all' : 'any';
  const passes = authorFilter(launch);
  const priorityOf = priorities(launch);
  let position = cursor === null ? await startOf(sources, launch, window) : readCursor(cursor);
  const page = matchPage(limit);
  for (let reads = 1; ; reads += 1) {
    const { posts, next } = await sources.source.posts({
      ...window,
      keywords,
      mode,
      position,
      limit: POSTS_A_READ,
    });
    const candidates = posts.filter((post) => passes(post.author));
    const seen = await known(candidates.map(subjectOf));
    const employers = await employersOf(
      sources.directory,
      candidates.map(({ author }) => (author?.entity === 'person' ? author.person : null)),
    );
    for (const post of candidates) {
      if (seen.has(subjectOf(post))) continue;
      if (!page.take(matchOf(post, priorityOf(post.author), employers)))
        return { matches: page.matches, cursor: writeCursor(position), more: true };
      position = { publishedAt: post.publishedAt, ref: post.ref };
    }
    if (next === null) return { matches: page.matches, cursor: writeCursor(position), more: false };
    position = next;
    if (reads >= READS_A_PAGE) return { matches: page.matches, cursor: writeCursor(position), more: true };
  }
};

const subjectOf = (post: ObservedPost): string => `post:${post.ref}`;

function windowOf({ now, lookbackDays, parameters }: RunLaunched, { watched }: DetectorSources): PostWindow {
  const until = new Date(now);
  const startDate = parameters['start_date'];
  return {
    after: new Date(until.getTime() - lookbackDays * DAY_MS),
    until,
    ...(watched === undefined ? {} : { scope: watched }),
    ...(typeof startDate === 'string' ? { from: new Date(`${startDate}T00:00:00.000Z`) } : {}),
  };
}

/** `max_posts_to_scrape` keeps the newest posts of the window; they are still looked at oldest first. */
async function startOf(
  { source }: DetectorSources,
  { parameters }: RunLaunched,
  window: PostWindow,
): Promise<PostPosition | null> {
  const most = parameters['max_posts_to_scrape'];
  return typeof most === 'number' ? source.positionBeforeNewest(window, most) : null;
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

function writeCursor(position: PostPosition | null): string {
  return JSON.stringify(position);
}

function readCursor(cursor: string): PostPosition | null {
  return JSON.parse(cursor);
}
