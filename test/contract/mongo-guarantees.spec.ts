import { createRequire } from 'node:module';
import { MongoClient, type Db } from 'mongodb';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { tableOf, type StoredDocument } from '#read-store/mongodb/catalogue.js';
import { openMongoReadStore } from '#read-store/mongodb/open-mongo-read-store.js';
import { writeDocuments } from '#read-store/mongodb/projection-writes.js';
import { storedDocument } from '#read-store/mongodb/stored-document.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { makeMongoPlace, mongoServer } from './mongo-read-store.fixture.js';
import { ingest } from './network-store/observed.js';
import { at, checkpointAt, fenceOf, publish, run, runs } from './read-store-fixture.js';

const generation = { view: runs, generation: 1 };

const server = mongoServer;
if (server !== null) {
  describe('MongoDB as read store', () => {
    let place: Awaited<ReturnType<typeof makeMongoPlace>>;
    let store: ReadStore;
    let raw: MongoClient;
    let db: Db;
    /** Closed after each test, also after a failure: an open connection would keep the process alive. */
    const opened: { readonly close: () => Promise<void> }[] = [];
    beforeEach(async () => {
      place = await makeMongoPlace(server);
      store = await place.connect();
      // The store reads majority-committed data: a write with a lower concern is not visible at once.
      raw = new MongoClient(place.url, { writeConcern: { w: 'majority' } });
      db = raw.db();
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
      await raw.close();
      await place.remove();
    });

    const write = (
      by: ReadStore,
      position: number,
      states: readonly string[],
      fence: Parameters<ReadStore['write']>[1],
    ) =>
      by.write(
        [
          {
            generation,
            documents: states.map((state, id) => ({ ...run(id, state), position: at(position) })),
            checkpoint: checkpointAt(position),
          },
        ],
        fence,
      );
    /** Why a store does not open; a store that opens is closed after the test like any other. */
    const refusalOf = (url: string): Promise<unknown> =>
      openMongoReadStore({ url }).then(
        (unexpected) => void opened.unshift(unexpected),
        (reason: unknown) => reason,
      );
    const viaProxy = async (
      options: { readonly [option: string]: string } = {},
    ): Promise<{ readonly proxy: TcpProxy; readonly proxied: ReadStore }> => {
      const proxy = await openTcpProxy(new URL(place.url));
      const url = new URL(place.url);
      url.port = String(proxy.port);
      url.searchParams.set('directConnection', 'true');
      for (const [option, value] of Object.entries(options)) url.searchParams.set(option, value);
      opened.push(proxy);
      const proxied = await openMongoReadStore({ url: url.href, callPatienceMs: 1_000 });
      opened.unshift(proxied);
      return { proxy, proxied };
    };

    it('replaces an older document that another writer inserted just before ours', async () => {
      await publish(store, generation, []);
      const table = tableOf(generation);
      const collection = db.collection<StoredDocument>('reads.runs_v1_g1');
      const stored = (position: number) =>
        storedDocument(table, { ...run(1, `at ${position}`), position: at(position) });
      let isFirst = true;
      // A server looks for the document, finds none and inserts it; here the other one is inserted in between.
      const racing = {
        collectionName: collection.collectionName,
        bulkWrite: async (...call: Parameters<typeof collection.bulkWrite>) => {
          if (!isFirst) return collection.bulkWrite(...call);
          isFirst = false;
          await collection.insertOne(stored(3));
          return collection.bulkWrite([{ insertOne: { document: stored(8) } }], { ordered: false });
        },
      };
      await writeDocuments({ collection: () => racing } as unknown as Db, table, [
        { stored: stored(8), isNew: false },
      ]);
      expect((await store.load(generation, ['run-1'])).get('run-1')).toMatchObject({ position: at(8) });
    });

    it('continues with the others if a document is already applied: one operation each, unordered', async () => {
      const fence = await publish(store, generation, []);
      await write(store, 5, ['first', 'second'], fence);
      await store.write(
        [
          {
            generation,
            documents: [
              { ...run(0, 'older'), position: at(4) },
              { ...run(2, 'new'), position: at(6) },
              { ...run(1, 'same'), position: at(5) },
              { ...run(3, 'new'), position: at(6) },
              { ...run(3, 'twice'), position: at(7) },
            ],
            checkpoint: checkpointAt(7),
          },
        ],
        fence,
      );
      const states = await store.groups(runs, {}, { by: ['id', 'state'] });
      expect(states.map(({ by }) => by)).toEqual([
        [0, 'first'],
        [1, 'second'],
        [2, 'new'],
        [3, 'twice'],
      ]);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(7));
    });

    it('writes documents and checkpoint with w: majority, and the checkpoint last', async () => {
      const fence = await publish(store, generation, []);
      const { proxy, proxied } = await viaProxy();
      const before = proxy.sent().length;
      await write(proxied, 2, ['a marked state'], fence);
      const sent = proxy.sent().slice(before);
      const documents = sent.indexOf('a marked state');
      const checkpoint = sent.lastIndexOf('applied');
      expect(documents).toBeGreaterThan(0);
      expect(checkpoint).toBeGreaterThan(documents);
      expect(sent.split('majority').length - 1).toBeGreaterThanOrEqual(2);
    });

    it('keeps the last position that documents may contain while it writes again from an earlier checkpoint', async () => {
      const fence = await publish(store, generation, []);
      const markOf = (position: number) => ({
        id: `event-${position}`,
        recordedAt: '2026-01-05T10:00:00.000Z',
      });
      const writeUpTo = (position: number) =>
        store.write(
          [
            {
              generation,
              documents: [{ ...run(0, 'running'), position: at(position) }],
              checkpoint: checkpointAt(position, { event: markOf(position) }),
            },
          ],
          fence,
        );
      await writeUpTo(5);
      // A process was killed between the documents of a slice up to 9 and its checkpoint.
      const last = { position: at(9), ...markOf(9) };
      await db.collection('reads.catalogue').updateMany({}, { $set: { ahead: last } });
      await writeUpTo(6);
      expect(await store.checkpoint(generation)).toMatchObject({
        position: at(6),
        ahead: { position: at(9), event: markOf(9) },
      });
      await writeUpTo(12);
      expect(await store.checkpoint(generation)).not.toHaveProperty('ahead');
    });

    it('names its server, and needs no transaction and no rename for its guarantees', async () => {
      const { proxy, proxied } = await viaProxy();
      const fence = await publish(proxied, generation, [run(0)]);
      await write(proxied, 2, ['first', 'second'], fence);
      await publish(proxied, { view: runs, generation: 2 }, [run(1)]);
      await proxied.dropGeneration(generation);
      expect(await proxied.generations(runs)).toEqual({ live: 2, all: [2] });
      expect(proxy.sent()).toContain('runs_v1_g2');
      expect(proxy.sent()).not.toMatch(/startTransaction|autocommit|renameCollection/);
      expect(proxied).toHaveProperty(
        'serverKind',
        expect.stringMatching(/^(standalone|replica set|sharded cluster)$/),
      );
    });

    it('reads from the primary and writes to the journal of a majority, with any connection string', async () => {
      const fence = await publish(store, generation, []);
      const { proxy, proxied } = await viaProxy({ readPreference: 'secondary', w: '1', journal: 'false' });
      await write(proxied, 2, ['first'], fence);
      expect(await proxied.get(runs, 'run-0')).toMatchObject({ state: 'first' });
      expect(proxy.sent()).toContain('majority');
      // A boolean in BSON: its type, the name, true.
      expect(proxy.sent()).toContain('\b' + 'j\0\u0001');
      expect(proxy.sent()).not.toContain('\b' + 'j\0\0');
      expect(proxy.sent()).not.toContain('secondary');
    });

    it('rejects the checkpoint write of an earlier holder that was in flight when the lease was taken', async () => {
      const fence = await publish(store, generation, [run(0)]);
      const { proxy, proxied } = await viaProxy();
      await write(proxied, 2, ['running'], fence);
      const held = proxy.holdAt('documents of the late one');
      const late = write(proxied, 9, ['documents of the late one'], fence).catch((error: unknown) => error);
      await held;
      await store.releaseLease(fence.lease, fence);
      const next = await fenceOf(store, 'worker-2');
      proxy.release();
      expect(await late).toBeInstanceOf(LeaseLost);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(2));
      await write(store, 10, ['of the next one'], next);
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'of the next one' });
    });

    it('leaves documents without a value in a field out of the index of that field: the field is absent, not null', async () => {
      const withoutState = { ...run(2).document, state: null };
      await publish(store, generation, [run(1), { key: 'run-2', document: withoutState }]);
      const collection = db.collection<StoredDocument>('reads.runs_v1_g1');
      const indexes = await collection.indexes();
      const conditions = indexes.map(({ name, partialFilterExpression }) => [name, partialFilterExpression]);
      expect(conditions).toContainEqual(['byState', { state: { $exists: true } }]);
      expect(conditions).toContainEqual(['listed', undefined]);
      const having = await collection.find({ state: { $exists: true } }).toArray();
      expect(having.map(({ _id }) => _id)).toEqual(['run-1']);
      expect(await store.get(runs, 'run-2')).toEqual(withoutState);
      expect(await store.count(runs, { where: { workspaceId: 7, state: null } })).toBe(1);
    });

    it('keeps generations in collections of their own, indexed before a pointer names them', async () => {
      await store.createGeneration(generation);
      const names = async (): Promise<readonly string[]> =>
        (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      await store.indexGeneration(generation);
      expect(await names()).toContain('reads.runs_v1_g1');
      const indexes = await db.collection('reads.runs_v1_g1').indexes();
      expect(indexes.map(({ name, key }) => [name, Object.keys(key)])).toEqual(
        expect.arrayContaining([
          ['listed', ['_alive', 'workspaceId', 'startedAt', 'id', '_id']],
          ['byState', ['_alive', 'workspaceId', 'state', 'startedAt', 'id', '_id']],
        ]),
      );
      expect(await store.generations(runs)).toEqual({ live: null, all: [1] });
      await publish(store, { view: runs, generation: 2 }, [run(1)]);
      await store.dropGeneration(generation);
      expect(await names()).not.toContain('reads.runs_v1_g1');
      expect(await names()).toContain('reads.runs_v1_g2');
    });

    it('finishes a drop that a crash interrupted before it creates the generation again', async () => {
      await publish(store, generation, [run(1)]);
      const catalogue = db.collection<{ _id: string }>('reads.catalogue');
      await catalogue.updateOne({ _id: 'runs_v1_g1' }, { $set: { dropping: true } });
      await store.createGeneration(generation);
      expect(await store.scan(generation, null, 9)).toEqual([]);
      expect(await store.generations(runs)).toEqual({ live: null, all: [1] });
    });

    it('refuses a document over 16 MB by its name, and writes nothing of that batch', async () => {
      const fence = await publish(store, generation, []);
      const written = write(store, 2, ['small', 'x'.repeat(16 * 1024 * 1024)], fence);
      await expect(written).rejects.toThrow(/runs run-1 is over the 16 MB/);
      expect(await store.count(runs, {})).toBe(0);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(1));
    });

    it('stores any JSON unchanged, also keys with a meaning for the server', async () => {
      const document = {
        ...run(1).document,
        details: { $ref: 'a', $id: 'b', 'x.y': 1, '': null, $where: [{}] },
      };
      await publish(store, generation, [{ key: 'odd', document }]);
      expect(await store.get(runs, 'odd')).toEqual(document);
    });

    it('reports that it is unavailable while the server is away, and recovers by itself', async () => {
      const fence = await publish(store, generation, [run(0)]);
      const { proxy, proxied } = await viaProxy();
      expect(await proxied.count(runs, {})).toBe(1);
      proxy.cut();
      const read = await proxied.count(runs, {}).catch((error: unknown) => error);
      expect(read).toBeInstanceOf(StoreUnavailable);
      expect(await write(proxied, 2, ['away'], fence).catch((error: unknown) => error)).toBeInstanceOf(
        StoreUnavailable,
      );
      proxy.mend();
      let counted: unknown = null;
      while (counted !== 1) counted = await proxied.count(runs, {}).catch(() => null);
      await write(proxied, 3, ['back'], fence);
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'back' });
    });

    it('recovers even if the driver waits for ever for the answer to a health check', async () => {
      await publish(store, generation, [run(0)]);
      const patience = {
        heartbeatFrequencyMS: '500',
        connectTimeoutMS: '300',
        serverSelectionTimeoutMS: '200',
      };
      const { proxy, proxied } = await viaProxy(patience);
      expect(await proxied.count(runs, {})).toBe(1);
      // The state of the driver if a connection ends between question and wait, produced once.
      const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
      const isMonitor = (connection: { readonly id: unknown; readonly address: string }): boolean =>
        connection.id === '<monitor>' && connection.address.endsWith(`:${proxy.port}`);
      const ask = Connection.prototype.command;
      let unanswered = 0;
      const asking = jest.spyOn(Connection.prototype, 'command').mockImplementation(function (
        this: { readonly id: unknown; readonly address: string },
        ...question: unknown[]
      ) {
        if (!isMonitor(this) || unanswered > 0) return ask.apply(this, question);
        unanswered += 1;
        return new Promise(() => undefined);
      });
      await eventually(() => unanswered === 1);
      asking.mockRestore();
      proxy.cut();
      const away = await proxied.count(runs, {}).catch((error: unknown) => error);
      expect(away).toBeInstanceOf(StoreUnavailable);
      proxy.mend();
      const back = eventually(async () => (await proxied.count(runs, {}).catch(() => null)) === 1);
      await soon('the server again', back);
    });

    it('has a timeout for a silent server, and reports the outcome of a write as unknown', async () => {
      const fence = await publish(store, generation, [run(0)]);
      const { proxy, proxied } = await viaProxy();
      const held = proxy.holdAt('never arrives');
      const error = write(proxied, 2, ['never arrives'], fence).catch((reason: unknown) => reason);
      await held;
      expect(await error).toBeInstanceOf(StoreUnavailable);
      expect(await error).toHaveProperty('outcome', 'unknown');
    });

    it('names the address without credentials if no server answers', async () => {
      const url = 'mongodb://someone:secret@127.0.0.1:9/views?serverSelectionTimeoutMS=50';
      const error = await refusalOf(url);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error).toHaveProperty('message', expect.stringContaining('mongodb://127.0.0.1:9/views'));
      expect(error).toHaveProperty('message', expect.not.stringContaining('secret'));
    });

    it('refuses a store of another layout or product, and leaves it unchanged', async () => {
      const claims = db.collection<{ _id: string }>('reads.store');
      for (const change of [{ layout: 99 }, { product: 'recipes' }]) {
        await claims.updateOne({ _id: 'store' }, { $set: change });
        expect(await refusalOf(place.url)).toBeInstanceOf(StoreUnusable);
        expect(await claims.findOne({ _id: 'store' })).toMatchObject(change);
      }
    });

    it('shares a database with the observed network', async () => {
      const network = await openMongoNetwork({ url: place.url, networkBaseUrl: 'https://n.example' });
      opened.push(network);
      await ingest(network, [{ kind: 'company', ref: 'c:1', handle: 'acme', name: 'Acme' }]);
      await publish(store, { view: { ...runs, name: 'observations' }, generation: 1 }, [run(1)]);
      expect(await store.count({ ...runs, name: 'observations' }, {})).toBe(1);
      expect((await network.directory.companies(['c:1'])).get('c:1')?.name).toBe('Acme');
    });

    it('measures leases with the time of the server, whatever the clocks of the machines are', async () => {
      const { localTime } = await db.command({ isMaster: 1 });
      await store.acquireLease('clock', 'a', 5_000);
      const leases = db.collection<{ readonly _id: string; readonly expiresAtMs: number }>('reads.leases');
      const ahead = ((await leases.findOne({ _id: 'clock' }))?.expiresAtMs ?? 0) - localTime.getTime();
      expect(ahead).toBeGreaterThanOrEqual(5_000);
      expect(ahead).toBeLessThan(65_000);
    });
  });
}
