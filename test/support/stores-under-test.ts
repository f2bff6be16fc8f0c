import { createHash } from 'node:crypto';
import { MongoClient } from 'mongodb';

/**
 * Settings that put a test service on the servers of this run (TEST_READ_STORE_URL: read store and observed
 * network). The database is that of its data directory, so that a service that is started again finds it.
 * Empty where no server is named: then the stores are files in the data directory.
 */
export function storesUnderTest(dataDirectory: string): { readonly [variable: string]: string } {
  const url = databaseUrl(dataDirectory);
  return url === null ? {} : { READ_STORE_URL: url, NETWORK_STORE_URL: url };
}

/** Removes what the service kept on a server. */
export async function removeStores(dataDirectory: string): Promise<void> {
  const url = databaseUrl(dataDirectory);
  if (url === null) return;
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}

function databaseUrl(dataDirectory: string): string | null {
  const server = process.env['TEST_READ_STORE_URL'];
  if (!server) return null;
  const url = new URL(server);
  url.pathname = `/service_${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 20)}`;
  // A machine that runs many tests at once answers late.
  url.searchParams.set('serverSelectionTimeoutMS', '15000');
  return url.href;
}
