import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/**
 * The number of events after which the index of streams takes the places of all of them. Few places in
 * `recent_stream_index` are on few pages, so that a commit of many streams writes few; many together change each page of
 * `stream_index` once. 2,048 take 2 ms.
 */
export const INDEXED_TOGETHER = 2_048;

const TABLES = ['stream_index', 'recent_stream_index'] as const;

/** A statement about the places of events, once for each table of the index. */
export const inBothIndexes = (statement: (table: string) => string): string =>
  TABLES.map(statement).join(' UNION ALL ');

/** The events at the places of a table of the index, as `place` and `events`. */
export const eventsAt = (table: string): string =>
  `${table} AS place CROSS JOIN recorded_events AS events USING (position)`;

/** The value of the last place of a stream in the index; null without any. What is recent has the higher revisions. */
export const lastOfStream = (column: 'position' | 'revision', streamId: string): string =>
  `coalesce(${TABLES.toReversed()
    .map(
      (table) =>
        `(SELECT ${column} FROM ${table} WHERE stream_id = ${streamId} ORDER BY revision DESC LIMIT 1)`,
    )
    .join(', ')})`;

/** The position of the first event of a stream; null without any. */
export const firstOfStream = (streamId: string): string =>
  `coalesce(${TABLES.map(
    (table) => `(SELECT position FROM ${table} WHERE stream_id = ${streamId} ORDER BY revision LIMIT 1)`,
  ).join(', ')})`;

/** Writes the index of streams inside an open transaction. */
export function streamIndex(db: DatabaseSyncInstance) {
  const insert = db.prepare(
    'INSERT INTO recent_stream_index (stream_id, revision, position) VALUES (?, ?, ?)',
  );
  const take = db.prepare(
    `INSERT INTO stream_index (stream_id, revision, position)
     SELECT stream_id, revision, position FROM recent_stream_index ORDER BY stream_id, revision`,
  );
  const clear = db.prepare('DELETE FROM recent_stream_index');
  return {
    add: (streamId: number, revision: number, position: number): void => {
      insert.run(streamId, revision, position);
    },
    /** Moves the places of recent events to those of all others. */
    takeRecent: (): void => {
      take.run();
      clear.run();
    },
  };
}

/** Removes the places of a stream inside an open transaction. */
export function placeRemover(db: DatabaseSyncInstance): (streamId: number) => void {
  const statements = TABLES.map((table) => db.prepare(`DELETE FROM ${table} WHERE stream_id = ?`));
  return (streamId) => {
    for (const statement of statements) statement.run(streamId);
  };
}
