import { eventStoreContract } from './event-store.contract.js';
import { eventStoreDbEventStores } from '#test/support/eventstoredb-event-stores.js';

// Only if a server is configured (npm run test:servers): it may hold events of others.
const url = process.env['TEST_EVENT_STORE_URL'] || null;
if (url !== null) {
  eventStoreContract('EventStoreDB', async () => {
    const stores = eventStoreDbEventStores(url);
    return { store: await stores.open(), openAnother: () => stores.open(), tearDown: stores.closeAll };
  });
}
