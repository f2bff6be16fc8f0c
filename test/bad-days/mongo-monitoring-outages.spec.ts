import { dropDatabase, freshDatabaseUrl, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { openTcpProxy } from '#test/support/tcp-proxy.js';
import { renewThroughOutages } from './monitoring-outages.js';

const server = mongoServer;
if (server !== null) {
  describe('months of monitored accounts while MongoDB drops every connection', () => {
    it('MON-52 OP-27 P14 are paid once and begin in time when it is back 30 s later', async () => {
      const database = freshDatabaseUrl(server);
      const wire = await openTcpProxy(new URL(server));
      const url = new URL(database);
      url.port = String(wire.port);
      // A direct connection: a replica set would name members that bypass the wire. Every call waits at most this
      // long.
      url.searchParams.set('directConnection', 'true');
      url.searchParams.set('serverSelectionTimeoutMS', '3000');
      let service: TestService | null = null;
      try {
        service = await startTestService({ CLOCK: 'manual', READ_STORE_URL: url.href });
        await renewThroughOutages({ service, takeAway: wire.cut, bringBack: wire.mend });
      } finally {
        wire.mend();
        await service?.stop();
        await wire.close();
        await dropDatabase(database);
      }
    });
  });
}
