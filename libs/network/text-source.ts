import type { KeywordMatcher, MatchMode } from './keyword-matching.js';
import type {
  JobPostingWindow,
  NetworkSource,
  ObservedJobPosting,
  ObservedPost,
  PostScope,
  PostWindow,
} from './network-source.port.js';
import { searchableText, type JobPostingObservation, type PostObservation } from './observation.js';
import type { Match } from './observed-text.js';
import {
  boundsOf,
  iso,
  recentMatchers,
  startPlace,
  type Bounds,
  type Place,
  type TextKind,
} from './text-window.js';

/** A text that may match: the observation as it is stored. */
export type TextCandidate = { readonly at: number; readonly body: string };

export type TextSearch<Scope> = Bounds & {
  readonly kind: TextKind;
  /** Absent: every text of the window. Never empty. */
  readonly keywords: readonly string[] | undefined;
  readonly mode: MatchMode;
  /** null: the whole network. */
  readonly scope: Scope | null;
  /** Where to read from. */
  readonly from: Place;
  readonly limit: number;
};

/** What was found, and where reading stopped; null where nothing is left to read. */
export type FoundTexts<Found> = { readonly found: readonly Found[]; readonly next: Place | null };

/** The texts of the network in one store. `Scope` is what the store needs to know whose texts it looks at. */
export type TextStore<Scope> = {
  /** Whose posts a scope holds, as of now. */
  readonly postScope: (scope: PostScope) => Promise<Scope>;
  /** What these companies alone publish. */
  readonly companyScope: (companyRefs: readonly string[]) => Scope;
  /**
   * Reads candidates in order of (at, ref) and keeps what `matchOf` makes of each, until there are at least
   * `limit` or no more. It may leave out what cannot match; `matchOf` decides.
   */
  readonly find: <Found>(
    search: TextSearch<Scope>,
    matchOf: (candidate: TextCandidate) => readonly Found[],
  ) => Promise<FoundTexts<Found>>;
  /** The place behind which exactly the newest `count` texts of the window follow, null when it holds no more. */
  readonly beforeNewest: (
    kind: TextKind,
    bounds: Bounds,
    scope: Scope | null,
    count: number,
  ) => Promise<Place | null>;
  readonly observedPosts: (page: readonly Match<PostObservation>[]) => Promise<readonly ObservedPost[]>;
  readonly observedJobPostings: (
    page: readonly Match<JobPostingObservation>[],
  ) => Promise<readonly ObservedJobPosting[]>;
};

/** NetworkSource over the texts of a store: windows, keywords and pages mean the same whatever the store is. */
export function textSource<Scope>(store: TextStore<Scope>): NetworkSource {
  const matchers = recentMatchers();

  const authorsOf = async ({ scope }: PostWindow): Promise<Scope | null> =>
    scope === undefined ? null : store.postScope(scope);

  /** Postings are by companies alone. */
  const companiesOf = ({ companyRefs }: JobPostingWindow): Scope | null =>
    companyRefs === undefined ? null : store.companyScope(companyRefs);

  /** One page of what matches, in order, and where the next one goes on. */
  const pageOf = async <Observation extends PostObservation | JobPostingObservation>(
    search: Omit<TextSearch<Scope>, 'from'>,
    position: Place | null,
  ): Promise<{ readonly page: readonly Match<Observation>[]; readonly next: Place | null }> => {
    const { keywords, mode, firstMs, lastMs, limit } = search;
    if (keywords?.length === 0 || firstMs > lastMs) return { page: [], next: null };
    const matcher = keywords === undefined ? null : matchers(keywords, mode);
    const from = startPlace(firstMs, position);
    const { found, next } = await store.find({ ...search, from }, (candidate) =>
      matchOf<Observation>(candidate, matcher),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > limit || next !== null;
    return { page, next: more && last !== undefined ? { at: last.at, ref: last.observation.ref } : null };
  };

  return {
    posts: async (search) => {
      const { keywords, mode = 'any', limit, position } = search;
      const scope = await authorsOf(search);
      const { page, next } = await pageOf<PostObservation>(
        { kind: 'post', keywords, mode, ...boundsOf(search), scope, limit },
        position ? { at: Date.parse(position.publishedAt), ref: position.ref } : null,
      );
      const posts = await store.observedPosts(page);
      return { posts, next: next && { publishedAt: iso(next.at), ref: next.ref } };
    },

    positionBeforeNewest: async (window, count) => {
      const place = await store.beforeNewest('post', boundsOf(window), await authorsOf(window), count);
      return place && { publishedAt: iso(place.at), ref: place.ref };
    },

    jobPostings: async (search) => {
      const { keywords, mode = 'any', limit, position } = search;
      const scope = companiesOf(search);
      const { page, next } = await pageOf<JobPostingObservation>(
        { kind: 'job_posting', keywords, mode, ...boundsOf(search), scope, limit },
        position ? { at: Date.parse(position.postedAt), ref: position.ref } : null,
      );
      const postings = await store.observedJobPostings(page);
      return { postings, next: next && { postedAt: iso(next.at), ref: next.ref } };
    },

    jobPostingBeforeNewest: async (window, count) => {
      const place = await store.beforeNewest('job_posting', boundsOf(window), companiesOf(window), count);
      return place && { postedAt: iso(place.at), ref: place.ref };
    },
  };
}

function matchOf<Observation extends PostObservation | JobPostingObservation>(
  { at, body }: TextCandidate,
  matcher: KeywordMatcher | null,
): readonly Match<Observation>[] {
  const observation: Observation = JSON.parse(body);
  const keywordsFound = matcher === null ? [] : matcher(searchableText(observation) ?? '');
  return matcher !== null && keywordsFound.length === 0 ? [] : [{ observation, at, keywordsFound }];
}
