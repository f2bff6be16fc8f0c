import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { openDatabase } from '#sqlite/open-database.js';

/** "NETW": says in the file's header that it is an observed network. */
const APPLICATION_ID = 0x4e_45_54_57;

/**
 * Every kind of observation is a row of one table, with what it is ordered and joined by lifted into columns:
 * `at` (milliseconds), `subject` (author, company, present employer), `target` (the post of a comment or
 * reaction). A detector for another kind needs a query and no other layout.
 *
 * `text_id` ties a post or job posting to its words. It starts with the second of `at`, so that the index
 * gives its hits in the order of time and a page costs the same however large the network is.
 */
const TABLES = `
CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  rev INTEGER NOT NULL,
  body TEXT NOT NULL,
  at INTEGER,
  subject TEXT,
  target TEXT,
  text_id INTEGER,
  previous_body TEXT,
  UNIQUE (kind, ref)
) STRICT;
CREATE INDEX observation_by_time ON observation (kind, at, ref) WHERE at IS NOT NULL;
CREATE INDEX observation_by_subject ON observation (kind, subject, at, ref) WHERE subject IS NOT NULL;
CREATE INDEX observation_by_target ON observation (target, kind, at) WHERE target IS NOT NULL;
CREATE UNIQUE INDEX observation_by_text ON observation (kind, text_id) WHERE text_id IS NOT NULL;

CREATE TABLE identifier (
  space TEXT NOT NULL,
  value TEXT NOT NULL,
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  PRIMARY KEY (space, value, kind, ref)
) STRICT, WITHOUT ROWID;

CREATE TABLE place (
  city TEXT NOT NULL,
  country_code TEXT NOT NULL,
  PRIMARY KEY (city, country_code)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE post_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE job_posting_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
`;

/** Opens network.db, creating it where it is missing. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export function openNetworkDatabase(path: string): Promise<DatabaseSyncInstance> {
  return openDatabase({
    path,
    applicationId: APPLICATION_ID,
    schemaVersion: 1,
    migrate: (db) => db.exec(TABLES),
    // What was observed can be sent again, so the last batches may be lost to a power cut.
    synchronous: 'NORMAL',
  });
}

/** Room for so many texts in one second. Seconds and room together stay below 2^53. */
export const TEXTS_PER_SECOND = 2 ** 21;
const LAST_SECOND = 2 ** 32 - 1;

/** The second that a text is filed under: those before 1970 in the first one, those after 2106 in the last. */
export function textSecond(atMs: number): number {
  return Math.min(Math.max(Math.floor(atMs / 1_000), 0), LAST_SECOND);
}

/** The last moment that is filed under a second, in milliseconds. */
export function endOfSecondMs(second: number): number {
  return second === LAST_SECOND ? Number.MAX_SAFE_INTEGER : (second + 1) * 1_000 - 1;
}
