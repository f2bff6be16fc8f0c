import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { EchoOf } from '../observed-text.js';
import type { FoundTexts, TextCandidate, TextSearch, TextStore } from '../text-source.js';
import { isShown, type Bounds, type SearchLimits, type TextKind, type TextPoint } from '../text-window.js';
import { authorScope, namedScope, type ScopedAuthors } from './author-scope.js';
import type { KeptHits } from './hits-ahead.js';
import type { Reader } from './reader.js';
import { isSearched, textCandidates } from './text-candidates.js';

/** Rows of one step against the order of time. */
const STEP_ROWS = 256;

/** The posts and job postings of network.db. */
export function sqliteTexts(db: DatabaseSyncInstance, reader: Reader): TextStore<ScopedAuthors> {
  const newestFirst = db.prepare(
    `SELECT at, ref, subject, text_id, own_at AS ownAt, closed_at AS closedAt FROM observation
     WHERE kind = ? AND (at, ref) < (?, ?) AND at >= ? ORDER BY at DESC, ref DESC LIMIT ${STEP_ROWS}`,
  );
  const newestByAuthors = db.prepare(
    `SELECT at, ref, subject, text_id, own_at AS ownAt, closed_at AS closedAt FROM observation INDEXED BY observation_by_subject
     WHERE kind = ? AND (at, ref) < (?, ?) AND at >= ? AND subject IN (SELECT value FROM json_each(?))
     ORDER BY at DESC, ref DESC LIMIT ${STEP_ROWS}`,
  );
  const echo = db.prepare(
    `SELECT kind, count(*) AS number FROM observation INDEXED BY observation_by_target
     WHERE target = ? GROUP BY kind`,
  );

  const keptHits: KeptHits = new Map();

  const echoes = async (postRefs: readonly string[]): Promise<EchoOf> => {
    const counted = await reader.each(
      postRefs,
      (ref) => echo.all(ref) as readonly { readonly kind: string; readonly number: number }[],
    );
    const byPost = new Map(postRefs.map((ref, index) => [ref, counted[index] ?? []]));
    return (postRef, kind) => byPost.get(postRef)?.find((row) => row.kind === kind)?.number ?? 0;
  };

  const find = async <Found>(
    search: TextSearch<ScopedAuthors>,
    matchOf: (candidate: TextCandidate) => readonly Found[],
  ): Promise<FoundTexts<Found>> => {
    const step = textCandidates(db, keptHits, search);
    let point: TextPoint | null = search.from;
    const found: Found[] = [];
    await reader.until(() => {
      if (point === null || found.length >= search.limit) return true;
      const { candidates, next } = step(point);
      found.push(...candidates.flatMap((candidate) => matchOf(candidate)));
      point = next;
      return false;
    });
    return { found, next: point };
  };

  const beforeNewest = async (
    kind: TextKind,
    { firstMs, lastMs, shown }: Bounds & { readonly shown: SearchLimits },
    scope: ScopedAuthors | null,
    count: number,
  ): Promise<TextPoint | null> => {
    const few = scope?.few ?? null;
    const authors = few === null ? null : JSON.stringify(few);
    let before: TextPoint = { at: lastMs + 1, ref: '' };
    let left = count;
    let found: TextPoint | null = null;
    await reader.until(() => {
      const range = [kind, before.at, before.ref, firstMs] as const;
      const rows = (
        authors === null ? newestFirst.all(...range) : newestByAuthors.all(...range, authors)
      ) as readonly NewestRow[];
      for (const row of rows) {
        const { at, ref, subject } = row;
        before = { at, ref };
        if (!isSearched(kind, row) || !isShown(shown, row) || scope?.holds(subject) === false) continue;
        if (left === 0) {
          found = { at, ref };
          return true;
        }
        left -= 1;
      }
      return rows.length < STEP_ROWS;
    });
    return found;
  };

  return {
    authorScope: (whose) => reader.once(() => authorScope(db, whose)),
    companyScope: namedScope,
    find,
    beforeNewest,
    echoes,
  };
}

type NewestRow = {
  readonly at: number;
  readonly ref: string;
  readonly subject: string | null;
  readonly text_id: number | null;
  readonly ownAt: number | null;
  readonly closedAt: number | null;
};
