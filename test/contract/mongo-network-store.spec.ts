import { openFreshMongoNetwork } from './mongo-network.fixture.js';
import { mongoServer } from './mongo-read-store.fixture.js';
import { networkStoreContract } from './network-store.contract.js';

if (mongoServer !== null) {
  const server = mongoServer;
  networkStoreContract('MongoDB', { open: () => openFreshMongoNetwork(server) });
}
