import { makeMongoPlace, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { sharedProjectingCases } from './shared-projecting.contract.js';

const server = mongoServer;
if (server !== null) {
  describe('projecting that is shared by partitions of workspaces, on MongoDB', () => {
    sharedProjectingCases(() => makeMongoPlace(server), { ttlMs: 2_000, renewEveryMs: 200 });
  });
}
