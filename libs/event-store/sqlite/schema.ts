import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';

/** "sgEv" in ASCII: `file events.db` shows it. */
export const EVENT_STORE_APPLICATION_ID = 0x73674576;
export const EVENT_STORE_SCHEMA_VERSION = 2;

const EVENTS_TABLE = `
  CREATE TABLE recorded_events (
    position INTEGER PRIMARY KEY,
    stream_id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    type_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT`;

/** Where each event of a stream is, by its revision. */
const indexTable = (name: string): string => `
  CREATE TABLE ${name} (
    stream_id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (stream_id, revision)
  ) STRICT, WITHOUT ROWID`;

/**
 * Names of streams and types are in separate tables, so that the index of streams contains small integers. The index is
 * two tables: `recent_stream_index` takes each new event, and from time to time `stream_index` takes what is in it
 * (docs/adr/0150). Event ids have no index: an index on random keys gets slower with every event, and a store copied from
 * EventStoreDB may contain the same id twice. The last event is never removed, so that a position is never used twice.
 */
export function migrateEventStore(db: DatabaseSyncInstance, fromVersion: number): void {
  if (fromVersion < 1) {
    db.exec(`
      CREATE TABLE streams (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
      ) STRICT;
      CREATE TABLE event_types (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
      ) STRICT;
      ${EVENTS_TABLE};
      ${indexTable('stream_index')};
    `);
  } else {
    detachIndex(db);
  }
  db.exec(indexTable('recent_stream_index'));
}

/**
 * Version 1 had the index as `UNIQUE (stream_id, revision)` of a table `events`. The pages of such an index are those of
 * the table `stream_index`, https://www.sqlite.org/fileformat2.html#representation_of_sql_indices and
 * https://www.sqlite.org/fileformat2.html#representation_of_without_rowid_tables, so only the schema changes, whatever the
 * size of the log. The table gets another name, so that a process of the version before, which would write no index, cannot
 * append.
 */
function detachIndex(db: DatabaseSyncInstance): void {
  const [version]: readonly [number] = db.prepare('PRAGMA schema_version', { returnArrays: true }).get();
  db.enableDefensive(false);
  try {
    db.exec('PRAGMA writable_schema = ON');
    const rename = db.prepare(
      'UPDATE sqlite_schema SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE name = ?',
    );
    const isThere = (name: string, table: string, sql: string): boolean =>
      rename.run('table', table, table, sql.trim(), name).changes === 1;
    if (
      !isThere('events', 'recorded_events', EVENTS_TABLE) ||
      !isThere('sqlite_autoindex_events_1', 'stream_index', indexTable('stream_index'))
    ) {
      throw new StoreUnusable('the event store has no table of events with an index of streams');
    }
    db.exec(`DELETE FROM sqlite_sequence WHERE name = 'events'`);
    db.exec('PRAGMA writable_schema = RESET');
    // Other connections read the schema anew.
    db.exec(`PRAGMA schema_version = ${version + 1}`);
  } finally {
    db.enableDefensive(true);
  }
}
