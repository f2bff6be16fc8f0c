import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { keywordMatcher, type KeywordMatcher } from '../keyword-matching.js';
import type {
  NetworkSource,
  ObservedPost,
  PostAuthor,
  PostPosition,
  PostSearch,
  PostWindow,
} from '../network-source.port.js';
import type { PostObservation } from '../observation.js';
import { postCandidates, type Candidate, type Place } from './post-candidates.js';
import { postScope, type ScopedAuthors } from './post-scope.js';
import type { Reader } from './reader.js';
import type { SqliteNetworkReads } from './sqlite-directory.js';

type Match = {
  readonly post: PostObservation;
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
     WHERE kind = 'post' AND (at, ref) < (?, ?) AND at >= ? ORDER BY at DESC, ref DESC LIMIT ?`,
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
  const observed = ({ post, at, keywordsFound }: Match): ObservedPost => {
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

  const scopeOf = async ({ scope }: PostWindow): Promise<ScopedAuthors | null> =>
    scope === undefined ? null : reader.once(() => postScope(db, scope));

  return {
    posts: async (search) => {
      const { keywords, mode = 'any', limit, position = null } = search;
      const { firstMs, lastMs } = boundsOf(search);
      if (keywords?.length === 0 || firstMs > lastMs) return { posts: [], next: null };
      const matcher = keywords === undefined ? null : matchers(keywords, mode);
      const scope = await scopeOf(search);
      const next = postCandidates(db, { keywords, mode, lastMs, scope });

      let place: Place | null = startPlace(firstMs, position);
      const found: Match[] = [];
      await reader.until(() => {
        if (place === null || found.length >= limit) return true;
        const step = next(place);
        found.push(...step.candidates.flatMap((candidate) => matchOf(candidate, matcher)));
        place = step.next;
        return false;
      });
      const page = found.slice(0, limit);
      const more = found.length > limit || place !== null;
      const posts = await reader.each(page, observed);
      const last = page.at(-1);
      return {
        posts,
        next: more && last !== undefined ? { publishedAt: iso(last.at), ref: last.post.ref } : null,
      };
    },

    positionBeforeNewest: async (window, count) => {
      const { firstMs, lastMs } = boundsOf(window);
      const scope = await scopeOf(window);
      let before: Place = { at: lastMs + 1, ref: '' };
      let left = count;
      let position: PostPosition | null = null;
      await reader.until(() => {
        const rows = newestFirst.all(before.at, before.ref, firstMs, 256) as readonly NewestRow[];
        for (const { at, ref, subject, text_id } of rows) {
          before = { at, ref };
          if (text_id === null || scope?.holds(subject) === false) continue;
          if (left === 0) {
            position = { publishedAt: iso(at), ref };
            return true;
          }
          left -= 1;
        }
        return rows.length < 256;
      });
      return position;
    },
  };
}

type NewestRow = {
  readonly at: number;
  readonly ref: string;
  readonly subject: string | null;
  readonly text_id: number | null;
};

/** First and last moment of a window, both inclusive, in milliseconds. */
function boundsOf({ after, from, until }: PostWindow): { readonly firstMs: number; readonly lastMs: number } {
  const firstMs = Math.max(after.getTime() + 1, from?.getTime() ?? Number.NEGATIVE_INFINITY);
  return { firstMs, lastMs: until.getTime() };
}

/** No ref is empty, so this is before every post of its moment. */
function startPlace(firstMs: number, position: PostPosition | null): Place {
  const at = position === null ? firstMs : Date.parse(position.publishedAt);
  return at < firstMs || position === null ? { at: firstMs, ref: '' } : { at, ref: position.ref };
}

function matchOf({ at, body }: Candidate, matcher: KeywordMatcher | null): readonly Match[] {
  const post = JSON.parse(body) as PostObservation;
  const keywordsFound = matcher === null ? [] : matcher(post.text ?? '');
  return matcher !== null && keywordsFound.length === 0 ? [] : [{ post, at, keywordsFound }];
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Keeps the matchers of the last searches: a run asks for page after page with the same keywords. */
function recentMatchers() {
  const kept = new Map<string, KeywordMatcher>();
  return (keywords: readonly string[], mode: NonNullable<PostSearch['mode']>): KeywordMatcher => {
    const key = JSON.stringify([mode, keywords]);
    const matcher = kept.get(key) ?? keywordMatcher(keywords, mode);
    kept.delete(key);
    kept.set(key, matcher);
    const [oldest] = kept.keys();
    if (kept.size > 4 && oldest !== undefined) kept.delete(oldest);
    return matcher;
  };
}
