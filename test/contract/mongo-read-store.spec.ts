import { makeMongoPlace, mongoServer } from './mongo-read-store.fixture.js';
import { readStoreContract } from './read-store.contract.js';

const server = mongoServer;
if (server !== null) readStoreContract('MongoDB', () => makeMongoPlace(server));
