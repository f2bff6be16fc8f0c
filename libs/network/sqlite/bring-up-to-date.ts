import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  happenedAtMs,
  searchableText,
  type CompanyEventObservation,
  type Observation,
  type PersonObservation,
} from '../observation.js';
import { moveRecorder } from './recorded-moves.js';
import { INDEXES, MOVES_AND_LEARNING, TITLES_OF_MOVES } from './tables.js';
import { indexedWords, WORDS_OF } from './word-index.js';

/**
 * Migrates the tables of version 1 to version 2 and reports what could not be restored: comments and reactions are
 * joined to their posts; the last move of each person is derived from the two stored revisions.
 */
export function bringUpToDate(
  db: DatabaseSyncInstance,
  path: string,
  onStep: (message: string) => void,
): string {
  db.exec(`
    ALTER TABLE observation ADD COLUMN host TEXT;
    ALTER TABLE observation ADD COLUMN parent TEXT;
    DROP INDEX observation_by_subject;
    DROP INDEX observation_by_time;
    UPDATE observation SET at = NULL WHERE kind = 'person';
    UPDATE observation
    SET host = (SELECT coalesce(post.subject, '') FROM observation AS post
                WHERE post.kind = 'post' AND post.ref = observation.target)
    WHERE kind IN ('comment', 'reaction') AND target IS NOT NULL;
    UPDATE observation SET parent = target
    WHERE kind IN ('comment', 'reaction') AND target IS NOT NULL AND host IS NULL;
    CREATE INDEX observation_by_time ON observation (kind, at, ref) WHERE at IS NOT NULL;
    ${MOVES_AND_LEARNING}
    ${INDEXES}
    ${TITLES_OF_MOVES}`);
  onStep('comments and reactions know their posts');
  joinAnswers(db);
  onStep('comments on comments know their posts');
  dateRenewals(db);
  const people = recordLastMoves(db);
  return (
    `${path} was migrated: of the ${people.revised} people seen more than once the last change of ` +
    `position is known (${people.moved} moves); earlier ones were never kept`
  );
}

/** Comments on comments, level by level. */
function joinAnswers(db: DatabaseSyncInstance): void {
  const level = db.prepare(`
    UPDATE observation SET target = above.target, host = above.host
    FROM observation AS above
    WHERE observation.kind = 'comment' AND observation.host IS NULL AND observation.parent IS NOT NULL
      AND above.kind = 'comment' AND above.ref = observation.parent AND above.host IS NOT NULL`);
  while (Number(level.run().changes) > 0);
}

function dateRenewals(db: DatabaseSyncInstance): void {
  const date = db.prepare('UPDATE observation SET at = ? WHERE id = ?');
  const events = db.prepare(`SELECT id, body FROM observation WHERE kind = 'company_event'`).all();
  for (const { id, body } of events as readonly { readonly id: number; readonly body: string }[])
    date.run(happenedAtMs(JSON.parse(body) as CompanyEventObservation), id);
}

function recordLastMoves(db: DatabaseSyncInstance): { readonly revised: number; readonly moved: number } {
  const record = moveRecorder(db);
  const next = db.prepare(
    `SELECT id, body, previous_body FROM observation
     WHERE kind = 'person' AND previous_body IS NOT NULL AND id > ? ORDER BY id LIMIT 1000`,
  );
  type Revised = { readonly id: number; readonly body: string; readonly previous_body: string };
  let revised = 0;
  let moved = 0;
  for (let last = -1; ;) {
    const some = next.all(last) as readonly Revised[];
    for (const { body, previous_body } of some) {
      const before = JSON.parse(previous_body) as PersonObservation;
      if (record(before, JSON.parse(body) as PersonObservation)) moved += 1;
    }
    revised += some.length;
    last = some.at(-1)?.id ?? last;
    if (some.length === 0) return { revised, moved };
  }
}

const TEXTS_A_LINE = 20_000;

const percent = (done: number, total: number): number => Math.floor((100 * done) / total);

/**
 * Writes the words of all texts again, by week as in version 5; `onStep` is called with the progress from time to
 * time.
 */
export function fileWordsByWeek(db: DatabaseSyncInstance, onStep: (message: string) => void): void {
  const { texts: total } = db
    .prepare('SELECT count(*) AS texts FROM observation WHERE text_id IS NOT NULL')
    .get();
  let done = 0;
  for (const [kind, table] of Object.entries(WORDS_OF)) {
    db.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
    const add = db.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`);
    const texts = db
      .prepare(
        'SELECT text_id, body FROM observation WHERE kind = ? AND text_id IS NOT NULL ORDER BY text_id',
      )
      .iterate(kind) as Iterable<{ readonly text_id: number; readonly body: string }>;
    for (const { text_id, body } of texts) {
      add.run(text_id, indexedWords(text_id, searchableText(JSON.parse(body) as Observation) ?? ''));
      done += 1;
      if (done % TEXTS_A_LINE === 0 || done === Number(total))
        onStep(`${done} of ${String(total)} texts are indexed by week (${percent(done, Number(total))} %)`);
    }
  }
}
