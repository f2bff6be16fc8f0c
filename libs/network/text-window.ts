import { keywordMatcher, type KeywordMatcher } from './keyword-matching.js';
import type { PostSearch, Window } from './network-source.port.js';

/** What is searched for keywords. */
export type TextKind = 'post' | 'job_posting';

/** A point in the order of time, then ref; the text that stands there is behind it. */
export type TextPlace = { readonly at: number; readonly ref: string };

/** First and last moment of a window, both inclusive, in milliseconds. */
export type Bounds = { readonly firstMs: number; readonly lastMs: number };

export function boundsOf({ after, from, until }: Window): Bounds {
  const firstMs = Math.max(after.getTime() + 1, from?.getTime() ?? Number.NEGATIVE_INFINITY);
  return { firstMs, lastMs: until.getTime() };
}

/** Where a search starts to read. No ref is empty, so this is before every text of its moment. */
export function startPlace(firstMs: number, position: TextPlace | null): TextPlace {
  return position === null || position.at < firstMs ? { at: firstMs, ref: '' } : position;
}

/** A moment as the ports write it. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Keeps the matchers of the last searches: a run asks for page after page with the same keywords. */
export function recentMatchers() {
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
