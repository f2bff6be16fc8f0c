import { makeSqlitePlace } from '#test/contract/sqlite-read-store.fixture.js';
import { sharedProjectingCases } from './shared-projecting.contract.js';

describe('projecting that is shared by partitions of workspaces', () => {
  sharedProjectingCases(makeSqlitePlace, { ttlMs: 1_000, renewEveryMs: 100 });
});
