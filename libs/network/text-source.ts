import { knownAuthors, knownEntities, type FactReads } from './known-authors.js';
import type { KeywordMatcher, MatchMode } from './keyword-matching.js';
import type {
  JobPostingWindow,
  NetworkSource,
  ObservedJobPosting,
  ObservedPost,
  Page,
  ReadPosition,
  PostWindow,
  ReadingOf,
  Whose,
} from './network-source.port.js';
import { searchableText, type JobPostingObservation, type PostObservation } from './observation.js';
import { observedJobPosting, observedPost, type EchoOf, type TextMatch } from './observed-text.js';
import { pointAt, positionOf } from './position.js';
import {
  recentMatchers,
  shownIn,
  startPoint,
  windowBounds,
  type Bounds,
  type SearchLimits,
  type TextKind,
  type TextPoint,
} from './text-window.js';

/** A text that may match: the observation as it is stored. */
export type TextCandidate = { readonly at: number; readonly body: string; readonly reading: ReadingOf };

export type TextSearch<Scope> = Bounds & {
  readonly shown: SearchLimits;
  readonly kind: TextKind;
  /** Absent: every post with text, every job posting. Never empty. */
  readonly keywords: readonly string[] | undefined;
  readonly mode: MatchMode;
  /** null: the whole network. */
  readonly scope: Scope | null;
  /** Where to read from. */
  readonly from: TextPoint;
  /** Whether this is the first page: it sees everything that was observed before it. */
  readonly isBeginning: boolean;
  readonly limit: number;
};

/** The texts found, and where reading stopped; null if nothing is left to read. */
export type FoundTexts<Found> = { readonly found: readonly Found[]; readonly next: TextPoint | null };

/** The texts of a network store. `Scope` is what the store needs to know the authors. */
export type TextStore<Scope> = {
  /** The authors of a scope, as of now. */
  readonly authorScope: (whose: Whose) => Promise<Scope>;
  /** The texts of these companies alone. */
  readonly companyScope: (companyRefs: readonly string[]) => Scope;
  /**
   * Reads candidates in order of (at, ref) and collects what `matchOf` returns for each, until there are at least
   * `limit` or no more. It may leave out texts that cannot match; `matchOf` decides.
   */
  readonly find: <Found>(
    search: TextSearch<Scope>,
    matchOf: (candidate: TextCandidate) => readonly Found[],
  ) => Promise<FoundTexts<Found>>;
  /**
   * The position after which exactly the newest `count` texts of the window follow, null if there are no more than
   * that.
   */
  readonly beforeNewest: (
    kind: TextKind,
    search: Bounds & { readonly shown: SearchLimits },
    scope: Scope | null,
    count: number,
  ) => Promise<TextPoint | null>;
  /** The number of comments and reactions of each of these posts. */
  readonly echoes: (postRefs: readonly string[]) => Promise<EchoOf>;
};

type TextReads = Pick<
  NetworkSource,
  'posts' | 'jobPostings' | 'beforeNewestPosts' | 'beforeNewestJobPostings'
>;

/** Posts and job postings of a store: windows, keywords and pages mean the same for every store. */
export function textReads<Scope>(store: TextStore<Scope>, facts: FactReads): TextReads {
  const matchers = recentMatchers();

  const authorsOf = async ({ whose }: PostWindow): Promise<Scope | null> =>
    whose === undefined ? null : store.authorScope(whose);

  /** Postings belong only to companies. */
  const companiesOf = ({ companyRefs }: JobPostingWindow): Scope | null =>
    companyRefs === undefined ? null : store.companyScope(companyRefs);

  /** One page of matches, in order, with the start of the next one. */
  const pageOf = async <Observation extends PostObservation | JobPostingObservation>(
    search: Omit<TextSearch<Scope>, 'from' | 'isBeginning'>,
    position: ReadPosition | null,
  ): Promise<{ readonly page: readonly TextMatch<Observation>[]; readonly next: ReadPosition | null }> => {
    const { keywords, mode, firstMs, lastMs, limit } = search;
    if (keywords?.length === 0 || firstMs > lastMs) return { page: [], next: null };
    const matcher = keywords === undefined ? null : matchers(keywords, mode);
    const point = position === null ? null : pointAt(position);
    const from = startPoint(firstMs, point);
    const isBeginning = point === null || point.tie === BEGINNING;
    const { found, next } = await store.find({ ...search, from, isBeginning }, (candidate) =>
      matchOf<Observation>(candidate, matcher),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > limit || next !== null;
    return { page, next: more && last !== undefined ? textPosition(last.at, last.observation.ref) : null };
  };

  const beforeNewest = async (
    kind: TextKind,
    window: PostWindow | JobPostingWindow,
    scope: Scope | null,
    count: number,
  ): Promise<ReadPosition | null> => {
    const point = await store.beforeNewest(kind, lookedAt(window), scope, count);
    return point && positionOf({ ...point, tie: BEGINNING });
  };

  return {
    posts: async (search): Promise<Page<ObservedPost>> => {
      const { keywords, mode = 'any', limit, position = null } = search;
      const scope = await authorsOf(search);
      const { page, next } = await pageOf<PostObservation>(
        { kind: 'post', keywords, mode, ...lookedAt(search), scope, limit },
        position,
      );
      const posts = page.map(({ observation }) => observation);
      const known = await knownAuthors(
        facts,
        posts.map(({ authorRef }) => authorRef),
      );
      const echoOf = await store.echoes(posts.map(({ ref }) => ref));
      return { items: page.map((match) => observedPost(match, known, echoOf)), next };
    },

    jobPostings: async (search): Promise<Page<ObservedJobPosting>> => {
      const { keywords, mode = 'any', limit, position = null } = search;
      const scope = companiesOf(search);
      const { page, next } = await pageOf<JobPostingObservation>(
        { kind: 'job_posting', keywords, mode, ...lookedAt(search), scope, limit },
        position,
      );
      const known = await knownEntities(facts, {
        people: page.map(({ observation }) => observation.hiringManagerRef),
        companies: page.map(({ observation }) => observation.companyRef),
      });
      return { items: page.map((match) => observedJobPosting(match, known)), next };
    },

    beforeNewestPosts: async (window, count) => beforeNewest('post', window, await authorsOf(window), count),
    beforeNewestJobPostings: (window, count) =>
      beforeNewest('job_posting', window, companiesOf(window), count),
  };
}

const lookedAt = (window: PostWindow | JobPostingWindow) => ({
  ...windowBounds(window),
  shown: shownIn(window),
});

/** The tie of a position at which a search begins: its first page continues no other page. */
const BEGINNING = 'begin';

/** Texts of one kind have their own refs, which alone distinguish them. */
const textPosition = (at: number, ref: string): ReadPosition => positionOf({ at, ref, tie: '' });

function matchOf<Observation extends PostObservation | JobPostingObservation>(
  { at, body, reading }: TextCandidate,
  matcher: KeywordMatcher | null,
): readonly TextMatch<Observation>[] {
  const observation: Observation = JSON.parse(body);
  const keywordsFound = matcher === null ? [] : matcher(searchableText(observation) ?? '');
  return matcher !== null && keywordsFound.length === 0 ? [] : [{ observation, at, reading, keywordsFound }];
}
