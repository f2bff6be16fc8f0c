import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { openFreshMongoNetwork } from '#test/contract/mongo-network.fixture.js';
import { makeMongoPlace, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { startEventStoreDbServer } from '#test/servers/eventstoredb/eventstoredb-server.js';
import { eventStoreDbEventStores } from './eventstoredb-event-stores.js';
import type { HouseStores } from './signal-house.js';

type Reading = Pick<HouseStores, 'reads' | 'network' | 'close'>;

/**
 * The stores of a house on servers: its events on a separate fault server, the others on the server that speaks
 * MongoDB's protocol if this run names one, and in files otherwise.
 */
export async function serverStores(): Promise<HouseStores> {
  const server = await startEventStoreDbServer();
  const clients = eventStoreDbEventStores(server.url);
  const events = await clients.open();
  const reading = mongoServer === null ? await inFiles() : await onMongo(mongoServer);
  return {
    ...reading,
    events,
    async close() {
      await clients.closeAll();
      await server.stop();
      await reading.close();
    },
  };
}

async function onMongo(server: string): Promise<Reading> {
  const place = await makeMongoPlace(server);
  const reads: ReadStore = await place.connect();
  const network = await openFreshMongoNetwork(server);
  return {
    reads,
    network,
    async close() {
      await place.remove();
      await network.close();
    },
  };
}

async function inFiles(): Promise<Reading> {
  const folder = await mkdtemp(join(tmpdir(), 'server-stores-'));
  const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
  const network: NetworkStore = await openSqliteNetwork({
    path: join(folder, 'network.db'),
    networkBaseUrl: 'https://www.network.example',
  });
  return {
    reads,
    network,
    async close() {
      await reads.close();
      await network.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
