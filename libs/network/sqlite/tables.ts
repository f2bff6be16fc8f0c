/**
 * Every kind of observation is a row of one table, with what it is ordered and joined by lifted into columns:
 * `at` (the date that windows go by, in milliseconds), `subject` (author, company, present employer), and of a comment or reaction `target` (the
 * post it belongs to), `host` (the author of that post; '' when nobody knows who wrote it, NULL while the post is
 * not known) and `parent` (what it names, where that is not its post: a comment, or a post that is not known).
 *
 * `text_id` ties a post or job posting to its words: `text-ids.ts`.
 */
export const TABLES = `
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
  host TEXT,
  parent TEXT,
  UNIQUE (kind, ref)
) STRICT;

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
CREATE UNIQUE INDEX observation_by_text ON observation (kind, text_id) WHERE text_id IS NOT NULL;
CREATE INDEX observation_by_time ON observation (kind, at, ref) WHERE at IS NOT NULL;
CREATE INDEX observation_by_target ON observation (target, kind, at) WHERE target IS NOT NULL;
`;

/** What version 2 has beside the tables of version 1. */
export const MOVES_AND_LEARNING = `
CREATE TABLE move (
  person TEXT NOT NULL,
  rev INTEGER NOT NULL,
  at INTEGER NOT NULL,
  to_company TEXT,
  from_company TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (person, rev)
) STRICT, WITHOUT ROWID;
CREATE INDEX move_by_time ON move (at, person, rev);
CREATE INDEX move_by_person ON move (person, at, rev);
CREATE INDEX move_by_to ON move (to_company, at, person, rev) WHERE to_company IS NOT NULL;
CREATE INDEX move_by_from ON move (from_company, at, person, rev) WHERE from_company IS NOT NULL;

CREATE TABLE learning (one INTEGER PRIMARY KEY CHECK (one = 1), learned INTEGER NOT NULL) STRICT;
INSERT INTO learning VALUES (1, 0);
`;

/** Indexes that version 1 had not, or had otherwise. */
export const INDEXES = `
CREATE INDEX observation_by_subject ON observation (kind, subject, at, ref, host) WHERE subject IS NOT NULL;
CREATE INDEX observation_by_host ON observation (kind, host, at, ref, subject) WHERE host IS NOT NULL;
CREATE INDEX observation_by_parent ON observation (parent) WHERE parent IS NOT NULL;
`;

/**
 * What version 3 has besides: whether revisions are times of requests, the own date where it is not `at`, when it was
 * closed, and which reading of which source showed the revision.
 */
export const SIGHTINGS = `
ALTER TABLE observation ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observation ADD COLUMN own_at INTEGER;
ALTER TABLE observation ADD COLUMN closed_at INTEGER;
ALTER TABLE observation ADD COLUMN source_id TEXT;
ALTER TABLE observation ADD COLUMN read_at INTEGER;
`;

/** What version 4 has besides: what the last poll of each source left, who has it in hand, and when each host may be asked. */
export const POLLS = `
CREATE TABLE poll (key TEXT PRIMARY KEY, holder TEXT, until INTEGER, memory TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE pace (host TEXT PRIMARY KEY, next_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** What version 6 has besides: when a source was last read that is about a company or person. */
export const READINGS = `
CREATE TABLE reading (ref TEXT PRIMARY KEY, read_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** What version 7 has besides: which observations were accepted lately, in the order of their transactions. */
export const ARRIVALS = `
CREATE TABLE arrival (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  observation INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL
) STRICT;
`;

/**
 * What version 5 has besides: the new title of a move, in the index of all moves, because most are looked at for their
 * title and passed over.
 */
export const TITLES_OF_MOVES = `
ALTER TABLE move ADD COLUMN to_title TEXT;
UPDATE move SET to_title = body ->> '$.to.title';
DROP INDEX move_by_time;
CREATE INDEX move_by_time ON move (at, person, rev, to_title);
`;
