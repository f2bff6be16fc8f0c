import { eventStoreContract } from './event-store.contract.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { eventStoreDbEventStores } from '#test/support/eventstoredb-event-stores.js';

eventStoreContract('EventStoreDB on the fault server', async () => {
  const server = await startEventStoreDbServer();
  const stores = eventStoreDbEventStores(server.url);
  return {
    store: await stores.open(),
    openAnother: () => stores.open(),
    tearDown: async () => {
      await stores.closeAll();
      server.stop();
    },
  };
});
