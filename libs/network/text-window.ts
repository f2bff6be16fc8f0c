import { keywordMatcher, type KeywordMatcher } from './keyword-matching.js';
import type { PostSearch, Window } from './network-source.port.js';

/** The kinds of texts that are searched for keywords. */
export type TextKind = 'post' | 'job_posting';

/** A position in the order of time, then ref; reading starts after the text at that position. */
export type TextPoint = { readonly at: number; readonly ref: string };

/** First and last moment of a window, both inclusive, in milliseconds. */
export type Bounds = { readonly firstMs: number; readonly lastMs: number };

/** The bounds of texts with another date besides that of the window: `from` applies to their own date (D-03). */
export function windowBounds({ after, until }: Window): Bounds {
  return { firstMs: after.getTime() + 1, lastMs: until.getTime() };
}

export function boundsOf({ after, from, until }: Window): Bounds {
  const firstMs = Math.max(after.getTime() + 1, from?.getTime() ?? Number.NEGATIVE_INFINITY);
  return { firstMs, lastMs: until.getTime() };
}

/** Further exclusions of a search, for texts and for events of companies. */
export type SearchLimits = {
  /** Texts that were closed at or before it are left out (SRC-05); null: closed texts are included. */
  readonly nowMs: number | null;
  /** Texts with an earlier own date are left out (D-03). */
  readonly firstOwnMs: number;
};

export function shownIn({ from, now }: Pick<Window, 'from'> & { readonly now?: Date }): SearchLimits {
  return { nowMs: now?.getTime() ?? null, firstOwnMs: from?.getTime() ?? Number.NEGATIVE_INFINITY };
}

/** Whether a text is shown: by its own date, if windows use another one, and by the time when it was closed. */
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

/** The start of a search. No ref is empty, so this is before every text of that moment. */
export function startPoint(firstMs: number, position: TextPoint | null): TextPoint {
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
