import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Filter } from 'mongodb';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { KeywordMatcher, MatchMode } from '../keyword-matching.js';
import type { JobPostingWindow, NetworkSource, PostWindow } from '../network-source.port.js';
import { searchableText, type JobPostingObservation, type PostObservation } from '../observation.js';
import {
  boundsOf,
  iso,
  recentMatchers,
  startPlace,
  type Bounds,
  type Place,
  type TextKind,
} from '../text-window.js';
import type { MongoNetworkReads } from './mongo-directory.js';
import { observationsIn } from './network-collections.js';
import type { SearchedText, StoredObservation } from './observation-document.js';
import { observedJobPostings, observedPosts, type Match } from './observed-texts.js';
import {
  namedScope,
  postScope,
  textsBefore,
  textsBehind,
  wordFilter,
  type ScopedAuthors,
} from './text-filter.js';

/** Texts of one question to the server; so many are read and matched in a few milliseconds. */
const STEP_TEXTS = 256;

type Candidate = { readonly body: string; readonly text: SearchedText };

/** What was read, and what of it lies in the scope. */
type Step = { readonly step: readonly Candidate[]; readonly own: readonly Candidate[] };

type TextSearch = Bounds & {
  readonly kind: TextKind;
  readonly keywords: readonly string[] | undefined;
  readonly mode: MatchMode;
  readonly scope: ScopedAuthors | null;
  readonly position: Place | null;
  readonly limit: number;
};

/** NetworkSource over a MongoDB. The index of words leaves out what cannot match; `keywordMatcher` decides. */
export function mongoSource({ read }: MongoDatabase, reads: MongoNetworkReads): NetworkSource {
  const matchers = recentMatchers();

  const scopeOf = async ({ scope }: PostWindow): Promise<ScopedAuthors | null> =>
    scope === undefined ? null : read((db) => postScope(db, scope));

  /** One page of what matches, in order, and where the next one goes on. */
  const matching = async <Observation extends PostObservation | JobPostingObservation>(
    search: TextSearch,
  ): Promise<{ readonly page: readonly Match<Observation>[]; readonly next: Place | null }> => {
    const { kind, keywords, mode, firstMs, lastMs, scope, limit } = search;
    if (keywords?.length === 0 || firstMs > lastMs) return { page: [], next: null };
    const matcher = keywords === undefined ? null : matchers(keywords, mode);
    const words = keywords === undefined ? null : wordFilter(keywords, mode);
    const found: Match<Observation>[] = [];
    let place: Place | null = startPlace(firstMs, search.position);
    while (place !== null && found.length <= limit) {
      const from: Place = place;
      const filters = [textsBehind(kind, from, lastMs), ...(words === null ? [] : [words])];
      const { step, own }: Step = await read((db) => stepOf(db, filters, scope, 1));
      found.push(...own.flatMap((candidate) => matchOf<Observation>(candidate, matcher)));
      place = step.length < STEP_TEXTS ? null : placeOf(step.at(-1));
      await nextTurn();
    }
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > limit || place !== null;
    return { page, next: more && last !== undefined ? { at: last.at, ref: last.observation.ref } : null };
  };

  /** The place behind which exactly the newest `count` texts of the window follow, null when it holds no more. */
  const beforeNewest = async (
    kind: TextKind,
    { firstMs, lastMs }: Bounds,
    scope: ScopedAuthors | null,
    count: number,
  ): Promise<Place | null> => {
    let before: Place | null = { at: lastMs + 1, ref: '' };
    for (let left = count; before !== null && firstMs <= lastMs;) {
      const from: Place = before;
      const { step, own }: Step = await read((db) =>
        stepOf(db, [textsBefore(kind, from, firstMs)], scope, -1),
      );
      const place = placeOf(own[left]);
      if (place !== null) return place;
      left -= own.length;
      before = step.length < STEP_TEXTS ? null : placeOf(step.at(-1));
    }
    return null;
  };

  return {
    posts: async (search) => {
      const { keywords, mode = 'any', limit, position } = search;
      const { page, next } = await matching<PostObservation>({
        kind: 'post',
        keywords,
        mode,
        ...boundsOf(search),
        scope: await scopeOf(search),
        position: position ? { at: Date.parse(position.publishedAt), ref: position.ref } : null,
        limit,
      });
      const posts = await read((db) => observedPosts(db, reads, page));
      return { posts, next: next && { publishedAt: iso(next.at), ref: next.ref } };
    },

    positionBeforeNewest: async (window, count) => {
      const place = await beforeNewest('post', boundsOf(window), await scopeOf(window), count);
      return place && { publishedAt: iso(place.at), ref: place.ref };
    },

    jobPostings: async (search) => {
      const { keywords, mode = 'any', limit, position } = search;
      const { page, next } = await matching<JobPostingObservation>({
        kind: 'job_posting',
        keywords,
        mode,
        ...boundsOf(search),
        scope: companyScope(search),
        position: position ? { at: Date.parse(position.postedAt), ref: position.ref } : null,
        limit,
      });
      const postings = await read((db) => observedJobPostings(db, reads, page));
      return { postings, next: next && { postedAt: iso(next.at), ref: next.ref } };
    },

    jobPostingBeforeNewest: async (window, count) => {
      const place = await beforeNewest('job_posting', boundsOf(window), companyScope(window), count);
      return place && { postedAt: iso(place.at), ref: place.ref };
    },
  };
}

/** Postings are by companies alone. */
function companyScope({ companyRefs }: JobPostingWindow): ScopedAuthors | null {
  return companyRefs === undefined ? null : namedScope(companyRefs);
}

/** One step of a search, and what of it lies in the scope. Each step is a call of its own, with its own patience. */
async function stepOf(
  db: Db,
  filters: readonly Filter<StoredObservation>[],
  scope: ScopedAuthors | null,
  way: 1 | -1,
): Promise<Step> {
  const step = await textsOf(db, filters, scope, way);
  return { step, own: await inScope(step, scope) };
}

/** One step of texts in order of time and ref, or against it; only by the authors of the scope when they are few. */
async function textsOf(
  db: Db,
  filters: readonly Filter<StoredObservation>[],
  scope: ScopedAuthors | null,
  way: 1 | -1,
): Promise<readonly Candidate[]> {
  const few = scope?.few ?? null;
  const byThese = few === null ? [] : [{ 'text.subject': { $in: [...few] } }];
  const withBody = way === 1 ? { body: 1 } : {};
  return observationsIn(db)
    .find({ $and: [...filters, ...byThese] })
    .project<Candidate>({ _id: 0, 'text.at': 1, 'text.ref': 1, 'text.subject': 1, ...withBody })
    .sort({ 'text.at': way, 'text.ref': way })
    .limit(STEP_TEXTS)
    .toArray();
}

async function inScope(
  step: readonly Candidate[],
  scope: ScopedAuthors | null,
): Promise<readonly Candidate[]> {
  if (scope === null || scope.few !== null) return step;
  const authors = new Set(step.flatMap(({ text }) => text.subject ?? []));
  const own = await scope.among([...authors]);
  return step.filter(({ text }) => text.subject !== null && own.has(text.subject));
}

function matchOf<Observation extends PostObservation | JobPostingObservation>(
  { text, body }: Candidate,
  matcher: KeywordMatcher | null,
): readonly Match<Observation>[] {
  const observation = JSON.parse(body) as Observation;
  const keywordsFound = matcher === null ? [] : matcher(searchableText(observation) ?? '');
  return matcher !== null && keywordsFound.length === 0 ? [] : [{ observation, at: text.at, keywordsFound }];
}

function placeOf(candidate: Candidate | undefined): Place | null {
  return candidate === undefined ? null : { at: candidate.text.at, ref: candidate.text.ref };
}
