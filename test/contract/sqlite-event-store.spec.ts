import { eventStoreContract } from './event-store.contract.js';
import { sqliteEventStores } from '#test/support/sqlite-event-stores.js';

eventStoreContract('sqlite', async () => {
  const stores = await sqliteEventStores();
  return {
    store: await stores.open(),
    openAnother: () => stores.open(),
    tearDown: stores.tearDown,
  };
});
