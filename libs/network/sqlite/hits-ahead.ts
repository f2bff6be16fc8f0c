import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { leastOf } from '#kernel/values/least-of.js';
import type { MatchMode } from '../keyword-matching.js';
import type { TextKind, TextPlace } from '../text-window.js';
import { secondOf, TEXTS_PER_SECOND } from './text-ids.js';
import { lastSecondOf, weekOf, wordQuery, WORDS_OF } from './word-index.js';

/** Hits of one question to the index: found within a few milliseconds, and 32 KB to keep. */
const HITS_AHEAD = 4_096;
/** So many searches are remembered; runs beyond that ask again for each page. */
const SEARCHES = 16;
const SHORTEST_SPAN_SECONDS = 3_600;
const FIRST_SPAN_SECONDS = 86_400;
/** Spans grow while a question takes about as long as looking up the phrases and this on top. */
const SPAN_SEARCH_MS = 3;

export type WordSearch = {
  readonly kind: TextKind;
  readonly phrases: readonly (readonly string[])[];
  readonly mode: MatchMode;
  /** Where the page begins. */
  readonly from: TextPlace;
};

/** All hits from one second to another, both inclusive, in order; `upTo` before `first` says that one second has too many. */
type Hits = { readonly first: number; readonly upTo: number; readonly ids: readonly number[] };

/** The hits that were found ahead, by search. */
export type KeptHits = Map<string, Hits>;

/**
 * Looks the hits of many pages up at once, because the index walks the lists of all words of a week for each question. A
 * search that begins always looks anew. Phrases of frequent words, which the index has to compare text by text, are
 * asked for in shorter spans of time.
 */
export function hitsAhead(
  db: DatabaseSyncInstance,
  kept: KeptHits,
  { kind, phrases, mode, from }: WordSearch,
): (first: number, last: number) => Hits {
  const table = WORDS_OF[kind];
  const hits = db.prepare(
    `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ${HITS_AHEAD}`,
  );
  const name = JSON.stringify([kind, mode, phrases]);
  // No ref is empty: this page does not go on behind another one.
  if (from.ref === '') kept.delete(name);
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
    // Looking up the phrases costs the same for any span: only what comes on top tells that it was too long.
    fastestMs = Math.min(fastestMs, tookMs);
    const isQuick = rows.length === HITS_AHEAD || tookMs < 2 * fastestMs + SPAN_SEARCH_MS;
    spanSeconds = isQuick ? spanSeconds * 8 : Math.max(SHORTEST_SPAN_SECONDS, Math.floor(spanSeconds / 2));
    const ids = rows.map(({ rowid }) => rowid);
    const lastHit = ids.at(-1);
    if (lastHit === undefined || ids.length < HITS_AHEAD) return { first, upTo: end, ids };
    // The last second may have more hits than were asked for.
    const upTo = secondOf(lastHit) - 1;
    return { first, upTo, ids: ids.filter((id) => secondOf(id) <= upTo) };
  };

  return (first, last) => {
    const ahead = kept.get(name);
    if (ahead !== undefined && ahead.first <= first && first <= ahead.upTo)
      return { ...ahead, first, upTo: Math.min(ahead.upTo, last), ids: idsBehind(ahead.ids, first, last) };
    const found = ask(first, last);
    kept.delete(name);
    kept.set(name, found);
    const [oldest] = kept.keys();
    if (kept.size > SEARCHES && oldest !== undefined) kept.delete(oldest);
    return found;
  };
}

/** Those from one second to another. */
function idsBehind(ids: readonly number[], first: number, last: number): readonly number[] {
  const behind = ids.slice(leastOf(ids.length, (index) => secondOf(ids[index] ?? 0) >= first));
  return secondOf(behind.at(-1) ?? 0) <= last ? behind : behind.filter((id) => secondOf(id) <= last);
}
