import { after, before, describe } from 'node:test';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';
import { eventStoreDbServiceCases } from './eventstoredb-service.js';

describe('the service on EventStoreDB (fault server)', () => {
  let server: EventStoreDbServer;
  before(async () => {
    server = await startEventStoreDbServer();
  });
  after(() => server.stop());
  eventStoreDbServiceCases(() => server.url);
});
