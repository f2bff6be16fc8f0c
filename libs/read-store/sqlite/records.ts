import type { RecordStore } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';

const HIGHEST_CHARACTER = '\u{10ffff}';

export function sqliteRecords({ statement, read, write }: Connection): RecordStore {
  return {
    getRecord: <T>(kind: string, key: string) =>
      read(() => {
        const row = statement('SELECT value FROM _records WHERE kind = ? AND key = ?').get(kind, key) as
          { readonly value: string } | undefined;
        return row === undefined ? null : (JSON.parse(row.value) as T);
      }),
    putRecord: (kind, key, value) =>
      write(() => {
        statement(
          'INSERT INTO _records (kind, key, value) VALUES (?, ?, ?)' +
            ' ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value',
        ).run(kind, key, JSON.stringify(value));
      }),
    deleteRecord: (kind, key) =>
      write(() => {
        statement('DELETE FROM _records WHERE kind = ? AND key = ?').run(kind, key);
      }),
    listRecords: <T>(kind: string, keyPrefix: string, limit: number, afterKey = '') =>
      read(() =>
        statement(
          'SELECT key, value FROM _records WHERE kind = ? AND key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?',
        )
          .all(kind, keyPrefix, keyPrefix + HIGHEST_CHARACTER, afterKey, limit)
          .map(({ key, value }: { key: string; value: string }) => ({ key, value: JSON.parse(value) as T })),
      ),
  };
}
