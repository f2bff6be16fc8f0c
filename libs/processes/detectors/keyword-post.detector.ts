import { firstCharacters } from '#kernel/first-characters.js';
import { fold } from '#kernel/text-folding.js';
import type { ContentAuthor } from '#domain/contents/content-facts.js';
import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { ObservedPost, PostAuthor, PostPosition, PostWindow } from '#network/network-source.port.js';
import type { Detector, DetectorSources, Match } from './detector.js';
import {
  companyAuthor,
  companyIdentityOf,
  companyResourceOf,
  jsonBytes,
  leadResourceOf,
  personIdentityOf,
  profileAuthor,
} from './observed-facts.js';
import { matchesPersona } from './persona-match.js';

const DAY_MS = 86_400_000;
const TEXT_LENGTH = 2_000;
const EXCERPT_LENGTH = 280;
/** Half of what one append may carry: the rest is for metadata and escapes. */
const MAX_PAGE_BYTES = 256 * 1024;
const POSTS_A_READ = 100;
/** Reads of one page: past them it ends with what it has, so that a filter few posts pass leaves a trace. */
const READS_A_PAGE = 20;

/** Posts that mention keywords (OP-69, OP-70), oldest first. */
export const keywordPostDetector: Detector = async (sources, launch, cursor, limit, known) => {
  const window = windowOf(launch, sources);
  const keywords = texts(launch.parameters['tracking_keywords']);
  const mode = launch.parameters['match_mode'] === 'all' ? 'all' : 'any';
  const passes = authorFilter(launch);
  let position = cursor === null ? await startOf(sources, launch, window) : readCursor(cursor);
  const matches: Match[] = [];
  let bytes = 0;
  for (let reads = 1; ; reads += 1) {
    const page = await sources.source.posts({ ...window, keywords, mode, position, limit: POSTS_A_READ });
    const candidates = page.posts.filter((post) => passes(post.author));
    const seen = await known(candidates.map(subjectOf));
    const employers = await employersOf(sources, candidates);
    for (const post of candidates) {
      if (seen.has(subjectOf(post))) continue;
      const match = matchOf(launch, post, employers);
      const size = jsonBytes(match);
      if (matches.length >= limit || (matches.length > 0 && bytes + size > MAX_PAGE_BYTES)) {
        return { matches, cursor: writeCursor(position), more: true };
      }
      bytes += size;
      matches.push(match);
      position = { publishedAt: post.publishedAt, ref: post.ref };
    }
    if (page.next === null) return { matches, cursor: writeCursor(position), more: false };
    position = page.next;
    if (reads >= READS_A_PAGE) return { matches, cursor: writeCursor(position), more: true };
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

async function employersOf(
  { directory }: DetectorSources,
  posts: readonly ObservedPost[],
): Promise<ReadonlyMap<string, CompanyFacts>> {
  const refs = posts.flatMap(({ author }) =>
    author?.entity === 'person' ? (author.person.experiences ?? []).map(({ companyRef }) => companyRef) : [],
  );
  return directory.companies([...new Set(refs)].filter((ref) => ref !== null));
}

function matchOf(
  launch: RunLaunched,
  post: ObservedPost,
  employers: ReadonlyMap<string, CompanyFacts>,
): Match {
  const { author } = post;
  const person = author?.entity === 'person' ? author.person : null;
  const company = author === null ? null : author.company;
  const text = firstCharacters(post.text, TEXT_LENGTH);
  const priority = person === null ? 1 : priorityOf(launch, person);
  return {
    subject: subjectOf(post),
    signalType: 'keywordDetection',
    signalDate: post.publishedAt,
    sourceUrl: post.url,
    priority,
    // Only top-priority signals are paid for (OP-19).
    priced: priority === 1,
    content: {
      ref: post.ref,
      type: 'post',
      facts: {
        url: post.url,
        text,
        published_at: post.publishedAt,
        author: contentAuthorOf(author),
        reaction_count: post.reactionCount,
        comment_count: post.commentCount,
      },
    },
    company:
      company === null
        ? null
        : { identity: companyIdentityOf(company), rev: company.rev, facts: companyResourceOf(company) },
    lead:
      person === null
        ? null
        : { identity: personIdentityOf(person), rev: person.rev, facts: leadResourceOf(person, employers) },
    leadPlace:
      person === null ? null : { country: person.geo?.country ?? null, city: person.geo?.city ?? null },
    data: { author: contentAuthorOf(author), keywords_found: post.keywordsFound },
    author:
      person === null
        ? null
        : { full_name: person.fullName, headline: person.headline, network_url: person.networkUrl },
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

function priorityOf({ persona }: RunLaunched, person: PersonFacts): 1 | 2 {
  return persona === null || matchesPersona(persona, person) ? 1 : 2;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function writeCursor(position: PostPosition | null): string {
  return JSON.stringify(position);
}

function readCursor(cursor: string): PostPosition | null {
  return JSON.parse(cursor);
}
