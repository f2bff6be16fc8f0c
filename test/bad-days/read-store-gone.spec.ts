import { furnish, type OwnedIds } from '#test/support/every-route.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { losableReadStore } from './other-stores.js';
import { surviveWithoutReadStore } from './read-store-loss.js';

describe('a read store that is gone', () => {
  const { openStores, takeAway, bringBack } = losableReadStore();
  let service: TestService;
  let workspace: TestWorkspace;
  let owned: OwnedIds;
  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' }, undefined, { openStores });
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace({ credits: 1_000_000 });
    owned = await furnish(service, workspace);
  });
  afterAll(() => service.stop());

  it('gives 503 to requests that need it; keys, commands that need no read model and charges continue, and all of it is there afterwards, once', async () => {
    await surviveWithoutReadStore({ service, workspace, owned, takeAway, bringBack });
  });
});
