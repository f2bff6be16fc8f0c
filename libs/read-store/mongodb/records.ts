import type { Db, Filter } from 'mongodb';
import { together } from '#kernel/commands/together.js';
import type { RecordStore } from '#kernel/ports/read-store.port.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { recordEntries, type RecordEntry } from './catalogue.js';

const HIGHEST_CHARACTER = '\u{10ffff}';
/** More records than this are read by a call of their own. */
const MOST_TOGETHER = 1_000;

/** Records between two keys, in their order. */
type Wanted = {
  readonly filter: Filter<RecordEntry>;
  readonly includes: (id: string) => boolean;
  readonly limit: number;
};

/** Kind and key form the identity; a kind has no slash, so the first slash ends it. */
function identity(kind: string, key: string): string {
  if (kind.includes('/')) throw new Error(`a kind of records cannot be called ${JSON.stringify(kind)}`);
  return `${kind}/${key}`;
}

export function mongoRecords({ read, write }: MongoDatabase): RecordStore {
  const found = together((all: readonly Wanted[]) => read((db) => readTogether(db, all)));

  return {
    getRecord: async <T>(kind: string, key: string) => {
      const id = identity(kind, key);
      const [entry] = await found({ filter: { _id: id }, includes: (other) => other === id, limit: 1 });
      return entry === undefined ? null : (JSON.parse(entry.json) as T);
    },
    putRecord: (kind, key, value) =>
      write(async (db) => {
        const _id = identity(kind, key);
        await recordEntries(db).replaceOne({ _id }, { json: JSON.stringify(value) }, { upsert: true });
      }),
    deleteRecord: (kind, key) =>
      write(async (db) => {
        await recordEntries(db).deleteOne({ _id: identity(kind, key) });
      }),
    listRecords: async <T>(kind: string, keyPrefix: string, limit: number, afterKey?: string) => {
      const entries = limit === 0 ? [] : await found(recordsFrom(kind, keyPrefix, limit, afterKey));
      return entries.map(({ _id, json }) => ({
        key: _id.slice(kind.length + 1),
        value: JSON.parse(json) as T,
      }));
    },
  };
}

function recordsFrom(kind: string, keyPrefix: string, limit: number, afterKey: string | undefined): Wanted {
  const first = identity(kind, keyPrefix);
  const after = afterKey === undefined ? null : identity(kind, afterKey);
  return {
    filter: {
      _id: { $gte: first, $lt: first + HIGHEST_CHARACTER, ...(after === null ? {} : { $gt: after }) },
    },
    includes: (id) => id.startsWith(first) && (after === null || compared(id, after) > 0),
    limit,
  };
}

/** The records of all, from one call of the server if they are few. */
async function readTogether(db: Db, all: readonly Wanted[]): Promise<readonly (readonly RecordEntry[])[]> {
  if (all.length > 1) {
    const filter = { $or: all.map((wanted) => wanted.filter) };
    const entries = await recordEntries(db)
      .find(filter, { limit: MOST_TOGETHER + 1, batchSize: MOST_TOGETHER + 1 })
      .toArray();
    if (entries.length <= MOST_TOGETHER) {
      entries.sort((left, right) => compared(left._id, right._id));
      return all.map(({ includes, limit }) => entries.filter(({ _id }) => includes(_id)).slice(0, limit));
    }
  }
  return Promise.all(
    all.map(({ filter, limit }) => recordEntries(db).find(filter).sort({ _id: 1 }).limit(limit).toArray()),
  );
}

/** As the server compares text: by code point, not by UTF-16 unit. */
function compared(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
