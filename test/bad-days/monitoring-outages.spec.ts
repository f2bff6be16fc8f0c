import { mortalEventStoreDb } from '#test/support/mortal-eventstoredb.js';
import { startTestService } from '#test/support/service.js';
import { renewThroughOutages } from './monitoring-outages.js';
import { impatientStores, losableReadStore } from './other-stores.js';

describe('months of monitored accounts while a server is away', () => {
  it('MON-52 OP-27 P14 are paid once and begin in time when EventStoreDB is killed and back 30 s later', async () => {
    await using server = await mortalEventStoreDb();
    await using service = await startTestService(
      { CLOCK: 'manual', EVENT_STORE_URL: server.url, CURSOR_SECRET: 'the same for all of them' },
      undefined,
      { openStores: impatientStores },
    );
    await renewThroughOutages({ service, takeAway: server.kill, bringBack: server.restart });
  });

  it('MON-52 OP-27 P14 are paid once and begin in time when the read store is gone for 30 s', async () => {
    const { openStores, takeAway, bringBack } = losableReadStore();
    await using service = await startTestService({ CLOCK: 'manual' }, undefined, { openStores });
    await renewThroughOutages({ service, takeAway, bringBack });
  });
});
