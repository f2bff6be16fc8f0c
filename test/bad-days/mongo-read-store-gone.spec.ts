import { dropDatabase, freshDatabaseUrl, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { furnish, type OwnedIds } from '#test/support/every-route.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { surviveWithoutReadStore } from './read-store-loss.js';

const server = mongoServer;
if (server !== null) {
  describe('a MongoDB that drops every connection and accepts no new one', () => {
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
      // A direct connection: a replica set would name members that bypass the wire. Every call waits at most this
      // long.
      url.searchParams.set('directConnection', 'true');
      url.searchParams.set('serverSelectionTimeoutMS', '200');
      // The start may need longer on a busy machine.
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

    it('gives 503 to requests that need it, and the others continue; once it is back, the projections continue from their position, and everything is there once', async () => {
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
