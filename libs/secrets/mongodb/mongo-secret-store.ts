import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { claimDatabase } from '#mongodb/claim-database.js';
import { openMongoDatabase } from '#mongodb/open-mongo-database.js';
import type { Wrapping } from '../wrapping.js';

const PREFIX = 'secrets_';
type Kept = { readonly _id: string; readonly value: string };

/** Secrets in a collection of a MongoDB database, which may be that of another store. */
export async function openMongoSecretStore(url: string, { wrap, unwrap }: Wrapping): Promise<SecretStore> {
  const database = await openMongoDatabase(url);
  const { read, write, close, place } = database;
  const kept = (db: Parameters<Parameters<typeof read>[0]>[0]) => db.collection<Kept>(`${PREFIX}kept`);
  try {
    await write((db) =>
      claimDatabase(db, place, { prefix: PREFIX, product: 'signal ledger secrets', layout: 1 }),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    put: (name, secret) =>
      write(async (db) => {
        const value = wrap(name, secret);
        await kept(db).updateOne({ _id: name }, { $setOnInsert: { value } }, { upsert: true });
      }),
    get: (names) =>
      read(async (db) => {
        const found = await kept(db)
          .find({ _id: { $in: [...names] } })
          .toArray();
        return new Map(found.map(({ _id, value }) => [_id, unwrap(_id, value)]));
      }),
    delete: (names) =>
      write(async (db) => {
        await kept(db).deleteMany({ _id: { $in: [...names] } });
      }),
    close,
  };
}
