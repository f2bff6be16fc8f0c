import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { KeywordMatcher } from '../keyword-matching.js';
import type {
  JobPostingWindow,
  NetworkSource,
  ObservedJobPosting,
  ObservedPost,
  PostAuthor,
  PostSearch,
  PostWindow,
} from '../network-source.port.js';
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
import { namedScope, postScope, type ScopedAuthors } from './post-scope.js';
import type { Reader } from './reader.js';
import type { SqliteNetworkReads } from './sqlite-directory.js';
import { textCandidates, type Candidate } from './text-candidates.js';

/** A text that matches: what was observed, when it happened, and what was found in it. */
type Match<Observation> = {
  readonly observation: Observation;
  readonly at: number;
  readonly keywordsFound: readonly string[];
};

/** NetworkSource over network.db. */
export function sqliteSource(
  db: DatabaseSyncInstance,
  reads: SqliteNetworkReads,
  reader: Reader,
): NetworkSource {
  const newestFirst = db.prepare(
    `SELECT at, ref, subject, text_id FROM observation
     WHERE kind = ? AND (at, ref) < (?, ?) AND at >= ? ORDER BY at DESC, ref DESC LIMIT ?`,
  );
  const echo = db.prepare('SELECT kind, count(*) AS number FROM observation WHERE target = ? GROUP BY kind');
  const matchers = recentMatchers();

  const authorOf = (authorRef: string | null): PostAuthor | null => {
    if (authorRef === null) return null;
    const person = reads.person(authorRef);
    if (person !== null) {
      const companyRef = person.current?.companyRef ?? null;
      return { entity: 'person', person, company: companyRef === null ? null : reads.company(companyRef) };
    }
    const company = reads.company(authorRef);
    return company === null ? null : { entity: 'company', company };
  };
  const observed = ({ observation: post, at, keywordsFound }: Match<PostObservation>): ObservedPost => {
    const echoes = echo.all(post.ref) as readonly { readonly kind: string; readonly number: number }[];
    const count = (kind: string): number => echoes.find((row) => row.kind === kind)?.number ?? 0;
    return {
      ref: post.ref,
      rev: post.rev,
      url: post.url,
      text: post.text ?? '',
      publishedAt: new Date(at).toISOString(),
      authorRef: post.authorRef,
      author: authorOf(post.authorRef),
      commentCount: count('comment'),
      reactionCount: count('reaction'),
      keywordsFound,
    };
  };

  const observedPosting = ({
    observation,
    at,
    keywordsFound,
  }: Match<JobPostingObservation>): ObservedJobPosting => {
    const { ref, rev, title, description, location, url, companyRef, hiringManagerRef } = observation;
    return {
      ref,
      rev,
      title,
      description,
      location,
      url,
      postedAt: iso(at),
      company: companyRef === null ? null : reads.company(companyRef),
      hiringManager: hiringManagerRef === null ? null : reads.person(hiringManagerRef),
      keywordsFound,
    };
  };

  const scopeOf = async ({ scope }: PostWindow): Promise<ScopedAuthors | null> =>
    scope === undefined ? null : reader.once(() => postScope(db, scope));

  /** One page of what matches, in order, and where the next one goes on. */
  const matching = async <Observation extends PostObservation | JobPostingObservation>(
    search: TextSearch,
  ): Promise<{ readonly page: readonly Match<Observation>[]; readonly next: Place | null }> => {
    const { kind, keywords, mode, firstMs, lastMs, scope, limit } = search;
    if (keywords?.length === 0 || firstMs > lastMs) return { page: [], next: null };
    const matcher = keywords === undefined ? null : matchers(keywords, mode);
    const step = textCandidates(db, { kind, keywords, mode, lastMs, scope });
    let place: Place | null = startPlace(firstMs, search.position);
    const found: Match<Observation>[] = [];
    await reader.until(() => {
      if (place === null || found.length >= limit) return true;
      const { candidates, next } = step(place);
      found.push(...candidates.flatMap((candidate) => matchOf<Observation>(candidate, matcher)));
      place = next;
      return false;
    });
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
    let before: Place = { at: lastMs + 1, ref: '' };
    let left = count;
    let found: Place | null = null;
    await reader.until(() => {
      const rows = newestFirst.all(kind, before.at, before.ref, firstMs, 256) as readonly NewestRow[];
      for (const { at, ref, subject, text_id } of rows) {
        before = { at, ref };
        if (text_id === null || scope?.holds(subject) === false) continue;
        if (left === 0) {
          found = { at, ref };
          return true;
        }
        left -= 1;
      }
      return rows.length < 256;
    });
    return found;
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
      const posts = await reader.each(page, observed);
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
      const postings = await reader.each(page, observedPosting);
      return { postings, next: next && { postedAt: iso(next.at), ref: next.ref } };
    },

    jobPostingBeforeNewest: async (window, count) => {
      const place = await beforeNewest('job_posting', boundsOf(window), companyScope(window), count);
      return place && { postedAt: iso(place.at), ref: place.ref };
    },
  };
}

type TextSearch = Bounds & {
  readonly kind: TextKind;
  readonly keywords: readonly string[] | undefined;
  readonly mode: NonNullable<PostSearch['mode']>;
  readonly scope: ScopedAuthors | null;
  readonly position: Place | null;
  readonly limit: number;
};

/** Postings are by companies alone. */
function companyScope({ companyRefs }: JobPostingWindow): ScopedAuthors | null {
  return companyRefs === undefined ? null : namedScope(companyRefs);
}

type NewestRow = {
  readonly at: number;
  readonly ref: string;
  readonly subject: string | null;
  readonly text_id: number | null;
};

function matchOf<Observation extends PostObservation | JobPostingObservation>(
  { at, body }: Candidate,
  matcher: KeywordMatcher | null,
): readonly Match<Observation>[] {
  const observation = JSON.parse(body) as Observation;
  const keywordsFound = matcher === null ? [] : matcher(searchableText(observation) ?? '');
  return matcher !== null && keywordsFound.length === 0 ? [] : [{ observation, at, keywordsFound }];
}
