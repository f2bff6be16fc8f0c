import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { leastOf } from '#kernel/values/least-of.js';
import type { MatchMode } from '../keyword-matching.js';
import type { TextKind } from '../text-window.js';
import { secondOf, TEXTS_PER_SECOND } from './text-ids.js';
import { lastSecondOf, weekOf, wordQuery, WORDS_OF } from './word-index.js';

/** Hits of one index query: found within a few milliseconds, 32 KB of memory. */
const HITS_AHEAD = 4_096;
/** The number of remembered searches; further runs query again for each page. */
const SEARCHES = 16;
const SHORTEST_SPAN_SECONDS = 3_600;
const FIRST_SPAN_SECONDS = 86_400;
/** Spans grow while a query takes at most this much more than looking up the phrases. */
const SPAN_SEARCH_MS = 3;

export type WordSearch = {
  readonly kind: TextKind;
  readonly phrases: readonly (readonly string[])[];
  readonly mode: MatchMode;
  /** The last moment of the window, in milliseconds. */
  readonly lastMs: number;
  /** Whether it is the first page of a search. */
  readonly isBeginning: boolean;
};

/**
 * All hits between two seconds, both inclusive, in order; `upTo` before `first` means that one second has too many.
 */
type Hits = { readonly first: number; readonly upTo: number; readonly ids: readonly number[] };

/** The hits read ahead, by search. */
export type KeptHits = Map<string, Hits>;

/**
 * Reads the hits of many pages at once, because the index walks the lists of all words of a week for each query. A
 * search that starts always reads again. Phrases of frequent words, which the index has to compare text by text, are
 * queried in shorter time spans. Measured alternately: 39 pages of ten words among 40,000 posts take 127 ms of the
 * processor, and 142 ms if each page queries the index.
 */
export function hitsAhead(
  db: DatabaseSyncInstance,
  kept: KeptHits,
  { kind, phrases, mode, lastMs, isBeginning }: WordSearch,
): (first: number, last: number) => Hits {
  const table = WORDS_OF[kind];
  const hits = db.prepare(
    `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ${HITS_AHEAD}`,
  );
  // With the end of the window: hits of an earlier run may miss texts that were observed since.
  const name = JSON.stringify([kind, mode, phrases, lastMs]);
  if (isBeginning) kept.delete(name);
  let spanSeconds = FIRST_SPAN_SECONDS;
  let fastestMs = Number.POSITIVE_INFINITY;

  const ask = (first: number, last: number): Hits => {
    const week = weekOf(first);
    const end = Math.min(last, lastSecondOf(week), first + spanSeconds - 1);
    const startedMs = performance.now();
    const rows = hits.all(
      wordQuery(phrases, mode, week),
      first * TEXTS_PER_SECOND,
      (end + 1) * TEXTS_PER_SECOND - 1,
    ) as readonly { readonly rowid: number }[];
    const tookMs = performance.now() - startedMs;
    // Looking up the phrases takes the same time for any span; only additional time means that the span is too long.
    fastestMs = Math.min(fastestMs, tookMs);
    const isQuick = rows.length === HITS_AHEAD || tookMs < 2 * fastestMs + SPAN_SEARCH_MS;
    spanSeconds = isQuick ? spanSeconds * 8 : Math.max(SHORTEST_SPAN_SECONDS, Math.floor(spanSeconds / 2));
    const ids = rows.map(({ rowid }) => rowid);
    const lastHit = ids.at(-1);
    if (lastHit === undefined || ids.length < HITS_AHEAD) return { first, upTo: end, ids };
    // The last second may have more hits than the limit.
    const upTo = secondOf(lastHit) - 1;
    return { first, upTo, ids: ids.filter((id) => secondOf(id) <= upTo) };
  };

  return (first, last) => {
    const ahead = kept.get(name);
    if (ahead !== undefined && ahead.first <= first && first <= ahead.upTo)
      return { ...ahead, first, upTo: Math.min(ahead.upTo, last), ids: idsWithin(ahead.ids, first, last) };
    const found = ask(first, last);
    kept.delete(name);
    kept.set(name, found);
    const [oldest] = kept.keys();
    if (kept.size > SEARCHES && oldest !== undefined) kept.delete(oldest);
    return found;
  };
}

/** The hits between two seconds. */
function idsWithin(ids: readonly number[], first: number, last: number): readonly number[] {
  const behind = ids.slice(leastOf(ids.length, (index) => secondOf(ids[index] ?? 0) >= first));
  return secondOf(behind.at(-1) ?? 0) <= last ? behind : behind.filter((id) => secondOf(id) <= last);
}
