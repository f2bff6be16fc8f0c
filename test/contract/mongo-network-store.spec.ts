import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { dropDatabase, freshDatabaseUrl, mongoServer } from './mongo-read-store.fixture.js';
import { networkStoreContract } from './network-store.contract.js';

if (mongoServer !== null) {
  const server = mongoServer;
  networkStoreContract('MongoDB', {
    open: async () => {
      const url = freshDatabaseUrl(server);
      const store = await openMongoNetwork({ url, networkBaseUrl: 'https://n.example' });
      const close = async (): Promise<void> => {
        await store.close();
        await dropDatabase(url);
      };
      return { ...store, close };
    },
  });
}
