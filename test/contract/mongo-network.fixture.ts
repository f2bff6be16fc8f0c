import type { NetworkStore } from '#network/network-store.js';
import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { dropDatabase, freshDatabaseUrl } from './mongo-read-store.fixture.js';

export const NETWORK_BASE_URL = 'https://n.example';

/** An empty store in a database of its own, which is dropped when it is closed. */
export async function openFreshMongoNetwork(server: string): Promise<NetworkStore> {
  const url = freshDatabaseUrl(server);
  const store = await openMongoNetwork({ url, networkBaseUrl: NETWORK_BASE_URL });
  const close = async (): Promise<void> => {
    await store.close();
    await dropDatabase(url);
  };
  return { ...store, close };
}
