import { keywordMatcher, type KeywordMatcher } from './keyword-matching.js';
import type { PostSearch, Window } from './network-source.port.js';

/** What is searched for keywords. */
export type TextKind = 'post' | 'job_posting';

/** A point in the order of time, then ref; the text that stands there is behind it. */
export type TextPlace = { readonly at: number; readonly ref: string };

/** First and last moment of a window, both inclusive, in milliseconds. */
export type Bounds = { readonly firstMs: number; readonly lastMs: number };

/** The bounds of what has a date of its own beside that of the window: a start date goes by the former (D-03). */
export function windowBounds({ after, until }: Window): Bounds {
  return { firstMs: after.getTime() + 1, lastMs: until.getTime() };
}

export function boundsOf({ after, from, until }: Window): Bounds {
  const firstMs = Math.max(after.getTime() + 1, from?.getTime() ?? Number.NEGATIVE_INFINITY);
  return { firstMs, lastMs: until.getTime() };
}

/** What a search leaves out besides, of texts and of what happened to companies. */
export type SearchLimits = {
  /** What was closed at or before it is left out (SRC-05); null: it makes no difference. */
  readonly nowMs: number | null;
  /** What has an earlier date of its own is left out (D-03). */
  readonly firstOwnMs: number;
};

export function shownIn({ from, now }: Pick<Window, 'from'> & { readonly now?: Date }): SearchLimits {
  return { nowMs: now?.getTime() ?? null, firstOwnMs: from?.getTime() ?? Number.NEGATIVE_INFINITY };
}

/** Whether it is shown: by its own date, where that is not the one that windows go by, and by when it was closed. */
export function isShown(
  { nowMs, firstOwnMs }: SearchLimits,
  {
    at,
    ownAt,
    closedAt,
  }: { readonly at: number; readonly ownAt: number | null; readonly closedAt: number | null },
): boolean {
  return (ownAt ?? at) >= firstOwnMs && (nowMs === null || closedAt === null || closedAt > nowMs);
}

/** Where a search starts to read. No ref is empty, so this is before every text of its moment. */
export function startPlace(firstMs: number, position: TextPlace | null): TextPlace {
  return position === null || position.at < firstMs ? { at: firstMs, ref: '' } : position;
}

/** A moment as the ports write it. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/**
 * Keeps the matchers of the last searches: a run asks for page after page with the same keywords. Measured: a matcher of 50
 * keywords takes 0.07 ms to make, one of 1,000 1.0 ms; a page takes about 5 ms (`npm run bench -- scale`).
 */
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
