import { dropDatabase, freshDatabaseUrl, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { furnish, type OwnedIds } from '#test/support/every-route.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { surviveWithoutReadStore } from './read-store-loss.js';

const server = mongoServer;
if (server !== null) {
  describe('a MongoDB that drops every connection and takes no new one', () => {
    let database: string;
    let wire: TcpProxy;
    let service: TestService;
    let workspace: TestWorkspace;
    let owned: OwnedIds;
    beforeAll(async () => {
      database = freshDatabaseUrl(server);
      wire = await openTcpProxy(new URL(server));
      const url = new URL(database);
      url.port = String(wire.port);
      // Straight to it: a replica set would name its members past the wire. Every call waits so long for it.
      url.searchParams.set('directConnection', 'true');
      url.searchParams.set('serverSelectionTimeoutMS', '200');
      // At the start it may need longer on a busy machine.
      const patient = { STORE_START_PATIENCE: '60' };
      service = await startTestService({ CLOCK: 'manual', READ_STORE_URL: url.href, ...patient });
      await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
      workspace = await service.workspace({ credits: 1_000_000 });
      owned = await furnish(service, workspace);
    });
    afterAll(async () => {
      wire.mend();
      await service.stop();
      await wire.close();
      await dropDatabase(database);
    });

    it('is 503 to whoever needs it, and what needs no read model goes on; back, the projections go on where they were, and all of it is there once', async () => {
      await surviveWithoutReadStore({
        service,
        workspace,
        owned,
        takeAway: wire.cut,
        bringBack: wire.mend,
      });
    });
  });
}
