import type { Collection, Db } from 'mongodb';
import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { claimDatabase } from '#mongodb/claim-database.js';
import { openMongoDatabase, type MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { KeptSecrets } from '../copy-secrets.js';
import { WRAPPED, type Wrapping } from '../wrapping.js';

const PREFIX = 'secrets_';
type Kept = { readonly _id: string; readonly value: string };

const keptIn = (db: Db): Collection<Kept> => db.collection<Kept>(`${PREFIX}kept`);

/**
 * Secrets in a collection of a MongoDB database, which may be that of another store. Rejects with `StoreUnusable` if its
 * wrapped secrets cannot be unwrapped.
 */
export async function openMongoSecretStore(url: string, { wrap, unwrap }: Wrapping): Promise<SecretStore> {
  const { read, write, close } = await openSecretsDatabase(url);
  try {
    const wrapped = await read((db) => keptIn(db).findOne({ value: { $regex: `^${WRAPPED}` } }));
    if (wrapped !== null) unwrap(wrapped._id, wrapped.value);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    put: (name, secret) =>
      write(async (db) => {
        const value = wrap(name, secret);
        await keptIn(db).updateOne({ _id: name }, { $setOnInsert: { value } }, { upsert: true });
      }),
    get: (names) =>
      read(async (db) => {
        const found = await keptIn(db)
          .find({ _id: { $in: [...names] } })
          .toArray();
        return new Map(found.map(({ _id, value }) => [_id, unwrap(_id, value)]));
      }),
    delete: (names) =>
      write(async (db) => {
        await keptIn(db).deleteMany({ _id: { $in: [...names] } });
      }),
    close,
  };
}

/** The same collection as one end of a copy. */
export async function openMongoKeptSecrets(url: string): Promise<KeptSecrets> {
  const { read, write, close } = await openSecretsDatabase(url);
  return {
    all: () =>
      read(async (db) => {
        const found = await keptIn(db).find().toArray();
        return new Map(found.map(({ _id, value }) => [_id, value]));
      }),
    add: (secrets) =>
      write(async (db) => {
        if (secrets.size > 0)
          await keptIn(db).insertMany([...secrets].map(([_id, value]) => ({ _id, value })));
      }),
    close,
  };
}

async function openSecretsDatabase(url: string): Promise<MongoDatabase> {
  const database = await openMongoDatabase(url);
  try {
    await database.write((db) =>
      claimDatabase(db, database.place, { prefix: PREFIX, product: 'signal ledger secrets', layout: 1 }),
    );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
