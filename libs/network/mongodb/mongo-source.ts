import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db, Filter } from 'mongodb';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { KeywordMatcher } from '../keyword-matching.js';
import type { NetworkSource, PostPosition, PostWindow } from '../network-source.port.js';
import type { PostObservation } from '../observation.js';
import { boundsOf, iso, recentMatchers, startPlace, type Place } from '../post-window.js';
import type { MongoNetworkReads } from './mongo-directory.js';
import { observationsIn } from './network-collections.js';
import type { SearchedText, StoredObservation } from './observation-document.js';
import { observedPosts, type Match } from './observed-posts.js';
import { postsBefore, postsBehind, postScope, wordFilter, type ScopedAuthors } from './post-filter.js';

/** Posts of one question to the server; so many are read and matched in a few milliseconds. */
const STEP_POSTS = 256;

type Candidate = { readonly body: string; readonly text: SearchedText };

/** NetworkSource over a MongoDB. The index of words leaves out what cannot match; `keywordMatcher` decides. */
export function mongoSource({ read }: MongoDatabase, reads: MongoNetworkReads): NetworkSource {
  const matchers = recentMatchers();

  return {
    posts: (search) =>
      read(async (db) => {
        const { keywords, mode = 'any', limit, position = null } = search;
        const { firstMs, lastMs } = boundsOf(search);
        if (keywords?.length === 0 || firstMs > lastMs) return { posts: [], next: null };
        const matcher = keywords === undefined ? null : matchers(keywords, mode);
        const words = keywords === undefined ? null : wordFilter(keywords, mode);
        const scope = await scopeOf(db, search);
        const found: Match[] = [];
        let place: Place | null = startPlace(firstMs, position);
        while (place !== null && found.length <= limit) {
          const filters = [postsBehind(place, lastMs), ...(words === null ? [] : [words])];
          const step = await postsOf(db, filters, scope, 1);
          found.push(...(await inScope(step, scope)).flatMap((candidate) => matchOf(candidate, matcher)));
          place = step.length < STEP_POSTS ? null : placeOf(step.at(-1));
          await nextTurn();
        }
        const page = found.slice(0, limit);
        const last = page.at(-1);
        const more = found.length > limit || place !== null;
        return {
          posts: await observedPosts(db, reads, page),
          next: more && last !== undefined ? { publishedAt: iso(last.at), ref: last.post.ref } : null,
        };
      }),

    positionBeforeNewest: (window, count) =>
      read(async (db): Promise<PostPosition | null> => {
        const { firstMs, lastMs } = boundsOf(window);
        const scope = await scopeOf(db, window);
        let before: Place | null = { at: lastMs + 1, ref: '' };
        for (let left = count; before !== null && firstMs <= lastMs;) {
          const step: readonly Candidate[] = await postsOf(db, [postsBefore(before, firstMs)], scope, -1);
          const own = await inScope(step, scope);
          const place = placeOf(own[left]);
          if (place !== null) return { publishedAt: iso(place.at), ref: place.ref };
          left -= own.length;
          before = step.length < STEP_POSTS ? null : placeOf(step.at(-1));
        }
        return null;
      }),
  };
}

async function scopeOf(db: Db, { scope }: PostWindow): Promise<ScopedAuthors | null> {
  return scope === undefined ? null : postScope(db, scope);
}

/** One step of posts in order of time and ref, or against it; only by the authors of the scope when they are few. */
async function postsOf(
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
    .limit(STEP_POSTS)
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

function matchOf({ text, body }: Candidate, matcher: KeywordMatcher | null): readonly Match[] {
  const post = JSON.parse(body) as PostObservation;
  const keywordsFound = matcher === null ? [] : matcher(post.text ?? '');
  return matcher !== null && keywordsFound.length === 0 ? [] : [{ post, at: text.at, keywordsFound }];
}

function placeOf(candidate: Candidate | undefined): Place | null {
  return candidate === undefined ? null : { at: candidate.text.at, ref: candidate.text.ref };
}
