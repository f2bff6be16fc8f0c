import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { searchPhrases } from '../search-words.js';
import type { TextCandidate, TextSearch } from '../text-source.js';
import { isShown, type TextKind, type TextPlace } from '../text-window.js';
import { endOfSecondMs, TEXTS_PER_SECOND, textSecond } from './network-schema.js';
import type { ScopedAuthors } from './author-scope.js';
import { READING, readingIn, type ReadingColumns } from './reading-columns.js';
import { wordQuery } from './word-index.js';

/** Some texts in order, and where to go on; null when there are no more. */
type Step = { readonly candidates: readonly TextCandidate[]; readonly next: TextPlace | null };

type RowStep = { readonly candidates: readonly Row[]; readonly next: TextPlace | null };

/** The index of the words of what is searched. */
const WORDS_OF: { readonly [Kind in TextKind]: string } = {
  post: 'post_words',
  job_posting: 'job_posting_words',
};

/** Rows of one step; small enough to be read and matched in a few milliseconds. */
const STEP_ROWS = 128;
/** Above so many phrases opening the index costs more than reading the posts that it would leave out. */
const MAX_PHRASES = 1_000;
/** Posts that can be read and matched in the time that the index needs to look up one phrase. */
const POSTS_PER_PHRASE = 2;
const SHORTEST_SPAN_SECONDS = 3_600;
const FIRST_SPAN_SECONDS = 86_400;
/** Spans grow while an index search takes about as long as looking up the phrases and this on top. */
const SPAN_SEARCH_MS = 3;

type Row = ReadingColumns & {
  readonly at: number;
  readonly body: string;
  readonly ref: string;
  readonly subject: string | null;
  readonly ownAt: number | null;
  readonly closedAt: number | null;
};
/** Dates that decide what is shown, and the reading that showed it. */
const SHOWN_BY = `own_at AS ownAt, closed_at AS closedAt, ${READING}`;

/**
 * The texts of a window that may match, in order, step by step. Three ways: author by author where the scope
 * holds few; else reading text after text; and, once as many were read as asking the word index costs, the
 * index. So frequent keywords fill their page from the first texts, rare ones skip the network, and no search
 * costs much more than the better of the two.
 */
export function textCandidates(
  db: DatabaseSyncInstance,
  search: TextSearch<ScopedAuthors>,
): (from: TextPlace) => Step {
  const step = candidateSteps(db, search);
  return (from) => {
    const { candidates, next } = step(from);
    const shown = candidates.filter((candidate) => isShown(search.shown, candidate));
    return {
      candidates: shown.map((row) => ({ at: row.at, body: row.body, reading: readingIn(row) })),
      next,
    };
  };
}

function candidateSteps(
  db: DatabaseSyncInstance,
  search: TextSearch<ScopedAuthors>,
): (from: TextPlace) => RowStep {
  const { kind, keywords, mode, lastMs, scope } = search;
  const few = scope?.few ?? null;
  const reading = readingInOrder(db, kind, scope);
  if (few !== null) {
    const byAuthor = readingAuthors(db, kind, few);
    return (from) => byAuthor(from, lastMs);
  }
  const phrases = keywords === undefined ? null : searchPhrases(keywords, mode);
  if (phrases === null || phrases.length > MAX_PHRASES) return (from) => reading(from, lastMs);

  const asking = askingWords(db, kind, wordQuery(phrases, mode), scope, reading);
  let toRead = phrases.length * POSTS_PER_PHRASE;
  return (from) => {
    if (toRead <= 0) return asking(from, lastMs);
    toRead -= STEP_ROWS;
    return reading(from, lastMs);
  };
}

type Reading = (from: TextPlace, lastMs: number) => RowStep;

function readingInOrder(db: DatabaseSyncInstance, kind: TextKind, scope: ScopedAuthors | null): Reading {
  const rows = db.prepare(
    `SELECT at, ref, subject, text_id, body, ${SHOWN_BY} FROM observation
     WHERE kind = '${kind}' AND (at, ref) > (?, ?) AND at <= ? ORDER BY at, ref LIMIT ${STEP_ROWS}`,
  );
  return (from, lastMs) => {
    const read = rows.all(from.at, from.ref, lastMs) as readonly (Row & {
      readonly text_id: number | null;
    })[];
    const candidates = read.filter((row) => isSearched(kind, row) && inScope(row, scope));
    return { candidates, next: read.length < STEP_ROWS ? null : placeOf(read.at(-1)) };
  };
}

function readingAuthors(db: DatabaseSyncInstance, kind: TextKind, authors: readonly string[]): Reading {
  const rows = db.prepare(
    `SELECT at, ref, text_id, body, ${SHOWN_BY} FROM observation WHERE id IN (
       SELECT id FROM observation INDEXED BY observation_by_subject
       WHERE kind = '${kind}' AND subject IN (SELECT value FROM json_each(?)) AND (at, ref) > (?, ?) AND at <= ?
       ORDER BY at, ref LIMIT ${STEP_ROWS}
     ) ORDER BY at, ref`,
  );
  const list = JSON.stringify(authors);
  return (from, lastMs) => {
    const read = rows.all(list, from.at, from.ref, lastMs) as readonly (Row & {
      readonly text_id: number | null;
    })[];
    const candidates = read.filter((row) => isSearched(kind, row));
    return { candidates, next: read.length < STEP_ROWS ? null : placeOf(read.at(-1)) };
  };
}

/**
 * Asks the word index span by span of time, so that phrases of common words, which the index has to compare
 * post by post, do not keep the event loop either.
 */
function askingWords(
  db: DatabaseSyncInstance,
  kind: TextKind,
  query: string,
  scope: ScopedAuthors | null,
  reading: Reading,
): Reading {
  const hits = db.prepare(
    `SELECT rowid FROM ${WORDS_OF[kind]} WHERE ${WORDS_OF[kind]} MATCH ? AND rowid BETWEEN ? AND ?
     ORDER BY rowid LIMIT ${STEP_ROWS}`,
  );
  const rows = db.prepare(
    `SELECT at, ref, subject, body, ${SHOWN_BY} FROM observation INDEXED BY observation_by_text
     WHERE kind = '${kind}' AND text_id IN (SELECT value FROM json_each(?)) AND (at, ref) > (?, ?) AND at <= ?
     ORDER BY at, ref`,
  );
  const nextText = db.prepare(
    `SELECT at FROM observation INDEXED BY observation_by_time
     WHERE kind = '${kind}' AND at >= ? AND at <= ? ORDER BY at LIMIT 1`,
  );
  /** The moment of the first text from there on: on a busy machine spans stay short, and years may be empty. */
  const nextFrom = (fromMs: number, lastMs: number): TextPlace | null => {
    const row = nextText.get(fromMs, lastMs) as { readonly at: number } | undefined;
    return row === undefined ? null : { at: row.at, ref: '' };
  };
  let spanSeconds = FIRST_SPAN_SECONDS;
  let fastestMs = Number.POSITIVE_INFINITY;

  return (from, lastMs) => {
    const first = textSecond(from.at);
    const last = textSecond(lastMs);
    const end = Math.min(last, first + spanSeconds - 1);
    const startedMs = performance.now();
    const found = hits.all(query, first * TEXTS_PER_SECOND, (end + 1) * TEXTS_PER_SECOND - 1) as readonly {
      readonly rowid: number;
    }[];
    const tookMs = performance.now() - startedMs;
    // Looking up the phrases costs the same for any span: only what comes on top tells that it was too long.
    fastestMs = Math.min(fastestMs, tookMs);
    const quick = tookMs < 2 * fastestMs + SPAN_SEARCH_MS;
    spanSeconds = quick ? spanSeconds * 8 : Math.max(SHORTEST_SPAN_SECONDS, Math.floor(spanSeconds / 2));

    const ids = found.map(({ rowid }) => rowid);
    const lastHit = ids.at(-1);
    let next: TextPlace | null = end >= last ? null : nextFrom((end + 1) * 1_000, lastMs);
    if (lastHit !== undefined && found.length === STEP_ROWS) {
      // The index orders by second only: the last second, of which hits may be left, is for the next step.
      const unfinished = Math.floor(lastHit / TEXTS_PER_SECOND);
      while ((ids.at(-1) ?? -1) >= unfinished * TEXTS_PER_SECOND) ids.pop();
      if (ids.length === 0) return readingOneSecond(reading, from, unfinished, lastMs);
      next = { at: unfinished * 1_000, ref: '' };
    }
    const read = rows.all(JSON.stringify(ids), from.at, from.ref, lastMs) as readonly Row[];
    return { candidates: read.filter((row) => inScope(row, scope)), next };
  };
}

/** A second with more hits than a step may hold is read in order. */
function readingOneSecond(reading: Reading, from: TextPlace, second: number, lastMs: number): RowStep {
  const startMs = second * 1_000;
  const endMs = Math.min(lastMs, endOfSecondMs(second));
  const step = reading(second > 0 && from.at < startMs ? { at: startMs, ref: '' } : from, endMs);
  if (step.next !== null || endMs >= lastMs) return step;
  return { candidates: step.candidates, next: { at: endMs + 1, ref: '' } };
}

/** A job posting is one without a text, too. */
export function isSearched(kind: TextKind, { text_id }: { readonly text_id: number | null }): boolean {
  return kind === 'job_posting' || text_id !== null;
}

function inScope(row: Row, scope: ScopedAuthors | null): boolean {
  return scope === null || scope.holds(row.subject);
}

function placeOf(row: Row | undefined): TextPlace | null {
  return row === undefined ? null : { at: row.at, ref: row.ref };
}
