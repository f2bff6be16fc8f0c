import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** "sgEv" in ASCII: `file events.db` shows it. */
export const EVENT_STORE_APPLICATION_ID = 0x73674576;
export const EVENT_STORE_SCHEMA_VERSION = 1;

/**
 * Names of streams and types are in separate tables, so that the single index of `events` contains two small
 * integers. Event ids have no index: an index on random keys gets slower with every event, and a store copied from
 * EventStoreDB may contain the same id twice.
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
      CREATE TABLE events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        stream_id INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        type_id INTEGER NOT NULL,
        id TEXT NOT NULL,
        data TEXT NOT NULL,
        metadata TEXT NOT NULL,
        UNIQUE (stream_id, revision)
      ) STRICT;
    `);
  }
}
