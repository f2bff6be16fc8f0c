import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { furnish, type OwnedIds } from '#test/support/every-route.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { changedStores } from './other-stores.js';
import { surviveWithoutReadStore } from './read-store-loss.js';

describe('a read store that is gone', () => {
  let isGone = false;
  let service: TestService;
  let workspace: TestWorkspace;
  let owned: OwnedIds;
  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' }, undefined, {
      openStores: changedStores(({ reads }) => ({
        reads: new Proxy(reads, {
          get(target, name) {
            const member: unknown = Reflect.get(target, name);
            if (typeof member !== 'function' || name === 'close') return member;
            return async (...args: unknown[]): Promise<unknown> => {
              if (isGone) throw new StoreUnavailable('the read store is gone');
              return Reflect.apply(member, target, args);
            };
          },
        }),
      })),
    });
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace({ credits: 1_000_000 });
    owned = await furnish(service, workspace);
  });
  afterAll(() => service.stop());

  it('gives 503 to requests that need it; keys, commands that need no read model and charges continue, and all of it is there afterwards, once', async () => {
    await surviveWithoutReadStore({
      service,
      workspace,
      owned,
      takeAway: () => (isGone = true),
      bringBack: () => (isGone = false),
    });
  });
});
