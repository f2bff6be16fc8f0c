import { Collection, MongoClient } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { NetworkStore } from '#network/network-store.js';
import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { errorOf, soon } from '#test/support/event-stores.js';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { NETWORK_BASE_URL, openFreshMongoNetwork } from './mongo-network.fixture.js';
import { dropDatabase, freshDatabaseUrl, mongoServer } from './mongo-read-store.fixture.js';
import { networkStoreContract } from './network-store.contract.js';
import { ingest } from './network-store/observed.js';

const A_MINUTE_MS = 60_000;
/** The time that an insert may take. */
const LATE_MS = 10_000;

if (mongoServer !== null) {
  const server = mongoServer;
  networkStoreContract('MongoDB', { open: () => openFreshMongoNetwork(server) });

  describe('arrivals in a MongoDB', () => {
    let url: string;
    let store: NetworkStore;
    beforeEach(async () => {
      url = freshDatabaseUrl(server);
      store = await openMongoNetwork({ url, networkBaseUrl: NETWORK_BASE_URL });
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await store.close();
      await dropDatabase(url);
    });

    const arrive = (ref: string) =>
      ingest(store, [
        { kind: 'post', ref, rev: 1, text: ref, author_ref: 'p:ana', published_at: '2025-01-01T00:00:00Z' },
      ]);
    const refsOf = async (reader: ReturnType<NetworkStore['arrivals']['ofLast']>) =>
      (await reader.next(10)).map(({ ref }) => ref);

    it('LIV-02 have the time of the server, whatever the clocks of their writers are', async () => {
      const reader = store.arrivals.ofLast(Infinity);
      const now = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + A_MINUTE_MS);
      await arrive('a:1');
      clock.mockRestore();
      expect(await refsOf(reader)).toEqual(['a:1']);
      await arrive('a:2');
      expect(await refsOf(reader)).toEqual(['a:2']);
    });

    it('LIV-02 begin by the time of the server, whatever the clock of their reader is', async () => {
      await arrive('a:1');
      const now = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * A_MINUTE_MS);
      const reader = store.arrivals.ofLast(A_MINUTE_MS);
      expect(await refsOf(reader)).toEqual(['a:1']);
      await arrive('a:2');
      expect(await refsOf(reader)).toEqual(['a:2']);
      clock.mockRestore();
    });

    it('LIV-02 are also read if their insert took longer than that of later ones', async () => {
      const reader = store.arrivals.ofLast(Infinity);
      await arrive('a:1');
      await arrive('a:2');
      expect(await refsOf(reader)).toEqual(['a:1', 'a:2']);
      const raw = new MongoClient(url, { writeConcern: { w: 'majority' } });
      const arrivals = raw.db().collection('network.arrivals');
      const first = await arrivals.findOne({}, { sort: { at: 1 } });
      await arrivals.insertOne({ at: Number(first?.['at']) - LATE_MS, observation: first?.['observation'] });
      await raw.close();
      expect(await refsOf(reader)).toEqual(['a:1']);
      expect(await refsOf(reader)).toEqual([]);
    });
  });

  describe('opening a network in a MongoDB', () => {
    let url: string;
    let proxy: TcpProxy;
    /** The same database through the proxy. */
    let proxied: string;
    beforeEach(async () => {
      url = freshDatabaseUrl(server);
      proxy = await openTcpProxy(new URL(url));
      const through = new URL(url);
      through.port = String(proxy.port);
      through.searchParams.set('directConnection', 'true');
      proxied = through.href;
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await proxy.close();
      await dropDatabase(url);
    });
    const open = (at: string) => openMongoNetwork({ url: at, networkBaseUrl: NETWORK_BASE_URL });

    it('writes nothing if its claim and its indexes are there: a write waits for a majority', async () => {
      await (await open(url)).close();
      await (await open(proxied)).close();
      const sent = ['find', 'listIndexes', 'createIndexes', 'insert', 'update'].filter((command) =>
        proxy.sent().includes(`${command}\0`),
      );
      expect(sent).toEqual(['find', 'listIndexes']);
    });

    it('ends after a time limit if a majority does not confirm its claim', async () => {
      jest.spyOn(Collection.prototype, 'insertOne').mockImplementation(() => new Promise(() => undefined));
      expect(await errorOf(soon('the refusal', open(url)))).toBeInstanceOf(StoreUnavailable);
    });
  });
}
