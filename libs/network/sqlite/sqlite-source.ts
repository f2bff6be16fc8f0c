import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { NetworkSource } from '../network-source.port.js';
import { observedJobPosting, observedPost, type KnownEntities } from '../observed-text.js';
import { textSource, type FoundTexts, type TextCandidate, type TextSearch } from '../text-source.js';
import type { Bounds, Place, TextKind } from '../text-window.js';
import { namedScope, postScope, type ScopedAuthors } from './post-scope.js';
import type { Reader } from './reader.js';
import { textCandidates } from './text-candidates.js';

/** Rows of one step against the order of time. */
const STEP_ROWS = 256;

/** NetworkSource over network.db. */
export function sqliteSource(db: DatabaseSyncInstance, known: KnownEntities, reader: Reader): NetworkSource {
  const newestFirst = db.prepare(
    `SELECT at, ref, subject, text_id FROM observation
     WHERE kind = ? AND (at, ref) < (?, ?) AND at >= ? ORDER BY at DESC, ref DESC LIMIT ${STEP_ROWS}`,
  );
  const echo = db.prepare('SELECT kind, count(*) AS number FROM observation WHERE target = ? GROUP BY kind');

  const echoOf = (postRef: string): ((kind: string) => number) => {
    const echoes = echo.all(postRef) as readonly { readonly kind: string; readonly number: number }[];
    return (kind) => echoes.find((row) => row.kind === kind)?.number ?? 0;
  };

  const find = async <Found>(
    search: TextSearch<ScopedAuthors>,
    matchOf: (candidate: TextCandidate) => readonly Found[],
  ): Promise<FoundTexts<Found>> => {
    const step = textCandidates(db, search);
    let place: Place | null = search.from;
    const found: Found[] = [];
    await reader.until(() => {
      if (place === null || found.length >= search.limit) return true;
      const { candidates, next } = step(place);
      found.push(...candidates.flatMap((candidate) => matchOf(candidate)));
      place = next;
      return false;
    });
    return { found, next: place };
  };

  const beforeNewest = async (
    kind: TextKind,
    { firstMs, lastMs }: Bounds,
    scope: ScopedAuthors | null,
    count: number,
  ): Promise<Place | null> => {
    let before: Place = { at: lastMs + 1, ref: '' };
    let left = count;
    let found: Place | null = null;
    await reader.until(() => {
      const rows = newestFirst.all(kind, before.at, before.ref, firstMs) as readonly NewestRow[];
      for (const { at, ref, subject, text_id } of rows) {
        before = { at, ref };
        if (text_id === null || scope?.holds(subject) === false) continue;
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

  return textSource({
    postScope: (scope) => reader.once(() => postScope(db, scope)),
    companyScope: namedScope,
    find,
    beforeNewest,
    observedPosts: (page) =>
      reader.each(page, (match) => observedPost(match, known, echoOf(match.observation.ref))),
    observedJobPostings: (page) => reader.each(page, (match) => observedJobPosting(match, known)),
  });
}

type NewestRow = {
  readonly at: number;
  readonly ref: string;
  readonly subject: string | null;
  readonly text_id: number | null;
};
