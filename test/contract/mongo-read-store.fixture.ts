import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import type { ReadStorePlace } from './read-store-fixture.js';

/** The server of this run: `mongodb://host:port/`. Null if none is configured, and then its specs have no tests. */
export const mongoServer = process.env['TEST_READ_STORE_URL'] || null;

/** The connection string of a database of its own. */
export function freshDatabaseUrl(server: string): string {
  const url = new URL(server);
  url.pathname = `/test_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  // A machine that runs many tests at once answers late.
  url.searchParams.set('serverSelectionTimeoutMS', '15000');
  return url.href;
}

/** A database of its own; removing it closes every connection that was opened here. */
export async function makeMongoPlace(server: string): Promise<ReadStorePlace & { readonly url: string }> {
  const url = freshDatabaseUrl(server);
  const open: ReadStore[] = [];
  return {
    url,
    connect: async (nowMs) => {
      const store = await openMongoReadStore({ url, ...(nowMs === undefined ? {} : { nowMs }) });
      open.push(store);
      return store;
    },
    remove: async () => {
      await Promise.all(open.map((store) => store.close()));
      await dropDatabase(url);
    },
  };
}

export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}
