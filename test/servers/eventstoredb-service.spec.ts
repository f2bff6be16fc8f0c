import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';
import { eventStoreDbServiceCases } from './eventstoredb-service.js';

describe('the service on EventStoreDB (fault server)', () => {
  let server: EventStoreDbServer;
  beforeAll(async () => {
    server = await startEventStoreDbServer();
  });
  afterAll(() => server.stop());
  eventStoreDbServiceCases(() => server.url);
});
