import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { recordEntries } from './catalogue.js';

type RecordStore = Pick<ReadStore, 'getRecord' | 'putRecord' | 'deleteRecord' | 'listRecords'>;

const HIGHEST_CHARACTER = '\u{10ffff}';

/** Kind and key form the identity; a kind has no slash, so the first slash ends it. */
function identity(kind: string, key: string): string {
  if (kind.includes('/')) throw new Error(`a kind of records cannot be called ${JSON.stringify(kind)}`);
  return `${kind}/${key}`;
}

export function mongoRecords({ read, write }: MongoDatabase): RecordStore {
  return {
    getRecord: <T>(kind: string, key: string) =>
      read(async (db) => {
        const entry = await recordEntries(db).findOne({ _id: identity(kind, key) });
        return entry === null ? null : (JSON.parse(entry.json) as T);
      }),
    putRecord: (kind, key, value) =>
      write(async (db) => {
        const _id = identity(kind, key);
        await recordEntries(db).replaceOne({ _id }, { json: JSON.stringify(value) }, { upsert: true });
      }),
    deleteRecord: (kind, key) =>
      write(async (db) => {
        await recordEntries(db).deleteOne({ _id: identity(kind, key) });
      }),
    listRecords: <T>(kind: string, keyPrefix: string, limit: number, afterKey?: string) =>
      read(async (db) => {
        if (limit === 0) return [];
        const first = identity(kind, keyPrefix);
        const entries = await recordEntries(db)
          .find({
            _id: {
              $gte: first,
              $lt: first + HIGHEST_CHARACTER,
              ...(afterKey === undefined ? {} : { $gt: identity(kind, afterKey) }),
            },
          })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return entries.map(({ _id, json }) => ({
          key: _id.slice(kind.length + 1),
          value: JSON.parse(json) as T,
        }));
      }),
  };
}
