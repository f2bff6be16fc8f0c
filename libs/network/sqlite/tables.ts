/**
 * Observations of all kinds are rows of one table. Columns hold the values that rows are ordered and joined by: `at` (the
 * date of the window, in milliseconds), `subject` (author, company, current employer), and for a comment or reaction
 * `target` (its post), `host` (the author of that post; empty if unknown, NULL while the post is unknown) and `parent`
 * (the ref it names, if that is not its post: a comment, or an unknown post).
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

/** Added by version 2. */
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

/** Indexes that version 1 did not have, or had with other columns. */
export const INDEXES = `
CREATE INDEX observation_by_subject ON observation (kind, subject, at, ref, host) WHERE subject IS NOT NULL;
CREATE INDEX observation_by_host ON observation (kind, host, at, ref, subject) WHERE host IS NOT NULL;
CREATE INDEX observation_by_parent ON observation (parent) WHERE parent IS NOT NULL;
`;

/**
 * Added by version 3: whether revisions are times of requests, the own date if it differs from `at`, the closing
 * time, and the reading that showed the revision.
 */
export const SIGHTINGS = `
ALTER TABLE observation ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observation ADD COLUMN own_at INTEGER;
ALTER TABLE observation ADD COLUMN closed_at INTEGER;
ALTER TABLE observation ADD COLUMN source_id TEXT;
ALTER TABLE observation ADD COLUMN read_at INTEGER;
`;

/** Added by version 4: the memory of each source's last poll, its claim, and when each host may be asked. */
export const POLLS = `
CREATE TABLE poll (key TEXT PRIMARY KEY, holder TEXT, until INTEGER, memory TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE pace (host TEXT PRIMARY KEY, next_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Added by version 6: when a source about a company or person was last read. */
export const READINGS = `
CREATE TABLE reading (ref TEXT PRIMARY KEY, read_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Added by version 7: recently accepted observations, in the order of their transactions. */
export const ARRIVALS = `
CREATE TABLE arrival (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  observation INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL
) STRICT;
`;

/**
 * Added by version 5: the new title of a move, in the index of all moves, because most moves are filtered by title.
 */
export const TITLES_OF_MOVES = `
ALTER TABLE move ADD COLUMN to_title TEXT;
UPDATE move SET to_title = body ->> '$.to.title';
DROP INDEX move_by_time;
CREATE INDEX move_by_time ON move (at, person, rev, to_title);
`;
