import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { searchPhrases } from '../search-words.js';
import type { TextCandidate, TextSearch } from '../text-source.js';
import { isShown, type TextKind, type TextPoint } from '../text-window.js';
import { hitsAhead, type KeptHits, type WordSearch } from './hits-ahead.js';
import { endOfSecondMs, secondOf, textSecond } from './text-ids.js';
import type { ScopedAuthors } from './author-scope.js';
import { READING, readingIn, type ReadingColumns } from './reading-columns.js';

/** Some texts in order, and where to continue; null if there are no more. */
type Step = { readonly candidates: readonly TextCandidate[]; readonly next: TextPoint | null };

type RowStep = { readonly candidates: readonly Row[]; readonly next: TextPoint | null };

/** Rows of one step: read and matched in a millisecond, if they are in memory. */
const STEP_ROWS = 32;
/** Each step of several authors reads the index entries of all their texts that are left, so there are fewer steps. */
const STEP_ROWS_OF_AUTHORS = 128;
/** With more phrases, opening the index costs more than reading the posts that it would exclude. */
const MAX_PHRASES = 1_000;
/** Posts that can be read and matched in the time of one phrase look-up in the index. */
const POSTS_PER_PHRASE = 2;
type Row = ReadingColumns & {
  readonly at: number;
  readonly body: string;
  readonly ref: string;
  readonly subject: string | null;
  readonly ownAt: number | null;
  readonly closedAt: number | null;
};
/** The dates that decide what is shown, and the reading that showed it. */
const SHOWN_BY = `own_at AS ownAt, closed_at AS closedAt, ${READING}`;

/**
 * The texts of a window that may match, in order, in steps. A scope with few authors is read by author. Otherwise
 * the texts are read one after the other; once that has cost as much as a query of the word index, the index is used. So
 * frequent keywords fill their page from the first texts, rare ones skip most texts, and no search costs much more than
 * the cheaper of the two ways.
 */
export function textCandidates(
  db: DatabaseSyncInstance,
  kept: KeptHits,
  search: TextSearch<ScopedAuthors>,
): (from: TextPoint) => Step {
  const step = candidateSteps(db, kept, search);
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
  kept: KeptHits,
  search: TextSearch<ScopedAuthors>,
): (from: TextPoint) => RowStep {
  const { kind, keywords, mode, lastMs, scope, isBeginning } = search;
  const few = scope?.few ?? null;
  const reading = readingInOrder(db, kind, scope);
  if (few !== null) {
    const byAuthor = readingAuthors(db, kind, few);
    return (from) => byAuthor(from, lastMs);
  }
  const phrases = keywords === undefined ? null : searchPhrases(keywords, mode, true);
  if (phrases === null || phrases.length > MAX_PHRASES) return (from) => reading(from, lastMs);

  const asking = askingWords(db, kept, { kind, phrases, mode, lastMs, isBeginning }, scope, reading);
  let toRead = phrases.length * POSTS_PER_PHRASE;
  return (from) => {
    if (toRead <= 0) return asking(from, lastMs);
    toRead -= STEP_ROWS;
    return reading(from, lastMs);
  };
}

type Reading = (from: TextPoint, lastMs: number) => RowStep;

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
    return { candidates, next: read.length < STEP_ROWS ? null : pointOf(read.at(-1)) };
  };
}

function readingAuthors(db: DatabaseSyncInstance, kind: TextKind, authors: readonly string[]): Reading {
  const rows = db.prepare(
    `SELECT at, ref, text_id, body, ${SHOWN_BY} FROM observation WHERE id IN (
       SELECT id FROM observation INDEXED BY observation_by_subject
       WHERE kind = '${kind}' AND subject IN (SELECT value FROM json_each(?)) AND (at, ref) > (?, ?) AND at <= ?
       ORDER BY at, ref LIMIT ${STEP_ROWS_OF_AUTHORS}
     ) ORDER BY at, ref`,
  );
  const list = JSON.stringify(authors);
  return (from, lastMs) => {
    const read = rows.all(list, from.at, from.ref, lastMs) as readonly (Row & {
      readonly text_id: number | null;
    })[];
    const candidates = read.filter((row) => isSearched(kind, row));
    return { candidates, next: read.length < STEP_ROWS_OF_AUTHORS ? null : pointOf(read.at(-1)) };
  };
}

/** Reads the hits of the word index, in pieces. */
function askingWords(
  db: DatabaseSyncInstance,
  kept: KeptHits,
  asked: WordSearch,
  scope: ScopedAuthors | null,
  reading: Reading,
): Reading {
  const { kind } = asked;
  const hitsFrom = hitsAhead(db, kept, asked);
  const rows = db.prepare(
    `SELECT at, ref, subject, body, ${SHOWN_BY} FROM observation INDEXED BY observation_by_text
     WHERE kind = '${kind}' AND text_id IN (SELECT value FROM json_each(?)) AND (at, ref) > (?, ?) AND at <= ?
     ORDER BY at, ref`,
  );
  const nextText = db.prepare(
    `SELECT at FROM observation INDEXED BY observation_by_time
     WHERE kind = '${kind}' AND at >= ? AND at <= ? ORDER BY at LIMIT 1`,
  );
  /** The time of the next text: years may be empty. */
  const nextFrom = (fromMs: number, lastMs: number): TextPoint | null => {
    const row = nextText.get(fromMs, lastMs) as { readonly at: number } | undefined;
    return row === undefined ? null : { at: row.at, ref: '' };
  };

  return (from, lastMs) => {
    const first = textSecond(from.at);
    const last = textSecond(lastMs);
    const { ids, upTo } = hitsFrom(first, last);
    if (upTo < first) return readingOneSecond(reading, from, first, lastMs);
    const { step, end } = stepOf(ids, upTo);
    const read = rows.all(JSON.stringify(step), from.at, from.ref, lastMs) as readonly Row[];
    return {
      candidates: read.filter((row) => inScope(row, scope)),
      next:
        end >= last
          ? null
          : step.length < ids.length
            ? startOf(end + 1)
            : nextFrom((end + 1) * 1_000, lastMs),
    };
  };
}

/** The first hits, and the second in which they end: the index orders only by second, so a second is never split. */
function stepOf(
  ids: readonly number[],
  upTo: number,
): { readonly step: readonly number[]; readonly end: number } {
  const [lastOfStep, behind] = [ids[STEP_ROWS - 1], ids[STEP_ROWS]];
  if (lastOfStep === undefined || behind === undefined) return { step: ids, end: upTo };
  const end = secondOf(lastOfStep);
  const count = ids.findIndex((id) => secondOf(id) > end);
  return count < 0 ? { step: ids, end: upTo } : { step: ids.slice(0, count), end };
}

const startOf = (second: number): TextPoint => ({ at: second * 1_000, ref: '' });

/** A second with more hits than one query of the index returns is read in order. */
function readingOneSecond(reading: Reading, from: TextPoint, second: number, lastMs: number): RowStep {
  const startMs = second * 1_000;
  const endMs = Math.min(lastMs, endOfSecondMs(second));
  const step = reading(second > 0 && from.at < startMs ? { at: startMs, ref: '' } : from, endMs);
  if (step.next !== null || endMs >= lastMs) return step;
  return { candidates: step.candidates, next: { at: endMs + 1, ref: '' } };
}

/** A job posting is searched even without a text. */
export function isSearched(kind: TextKind, { text_id }: { readonly text_id: number | null }): boolean {
  return kind === 'job_posting' || text_id !== null;
}

function inScope(row: Row, scope: ScopedAuthors | null): boolean {
  return scope === null || scope.holds(row.subject);
}

function pointOf(row: Row | undefined): TextPoint | null {
  return row === undefined ? null : { at: row.at, ref: row.ref };
}
