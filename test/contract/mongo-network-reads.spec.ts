import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { houseRoot } from '#test/house/house.js';
import { NETWORK_BASE_URL, openFreshMongoNetwork } from './mongo-network.fixture.js';
import { dropDatabase, freshDatabaseUrl, mongoServer } from './mongo-read-store.fixture.js';
import { networkReadsContract } from './network-reads.contract.js';
import { expectBroughtUpToDate } from './network-store/brought-up-to-date.js';
import { allPages, always, ingest, person, worksAt, type Json } from './network-store/observed.js';

if (mongoServer !== null) {
  const server = mongoServer;
  networkReadsContract('MongoDB', { open: () => openFreshMongoNetwork(server) });

  describe('network store on MongoDB, its database', () => {
    /** Work on the database of the store. */
    const inDatabase = async (work: (url: string, client: MongoClient) => Promise<void>): Promise<void> => {
      const url = freshDatabaseUrl(server);
      const client = await new MongoClient(url).connect();
      try {
        await work(url, client);
      } finally {
        await client.close();
        await dropDatabase(url);
      }
    };

    it('of version 1 is migrated at the first start, with the progress and what it never stored', () =>
      inDatabase(async (url, client) => {
        const file = join(houseRoot, 'test/contract/network-store/version-1/observations.json');
        const stored = JSON.parse(readFileSync(file, 'utf8'));
        const db = client.db();
        await db.collection('network.observations').insertMany(stored);
        await db.collection('network.places').insertOne({ city: 'lyon', countryCode: 'FR' });
        await db
          .collection<{ _id: string; product: string; layout: number }>('network.store')
          .insertOne({ _id: 'store', product: 'signal ledger observed network', layout: 1 });
        const messages: string[] = [];
        const open = () =>
          openMongoNetwork({
            url,
            networkBaseUrl: NETWORK_BASE_URL,
            onMigration: (line) => messages.push(line),
          });
        const store = await open();
        await expectBroughtUpToDate(store, [...messages]);
        await store.close();
        await (await open()).close();
        expect(messages.length).toBe(2);
      }));

    it('LIV-02 reads all arrivals of one moment, also if they are more than one read takes', () =>
      inDatabase(async (url, client) => {
        const store = await openMongoNetwork({ url, networkBaseUrl: NETWORK_BASE_URL });
        await ingest(store, [{ kind: 'post', ref: 'post', published_at: '2026-01-01T00:00:00Z' }]);
        const stored = client
          .db()
          .collection<{ readonly at: number; readonly observation: string }>('network.arrivals');
        const first = await stored.findOne({}, { projection: { _id: 0 } });
        if (first === null) throw new Error('the post has no arrival');
        await stored.insertMany(Array.from({ length: 20_009 }, () => ({ ...first })));
        const reader = store.arrivals.ofLast(Infinity);
        let arrivals = 0;
        for (let read = await reader.next(5_000); read.length > 0; read = await reader.next(5_000))
          arrivals += read.length;
        await store.close();
        expect(arrivals).toBe(20_010);
      }));

    it('completes the follow-up writes of an interrupted batch at the next start', () =>
      inDatabase(async (url, client) => {
        const first = await openMongoNetwork({ url, networkBaseUrl: NETWORK_BASE_URL });
        const seen: readonly Json[] = [
          { kind: 'post', ref: 'post', author_ref: 'p:bo', published_at: '2026-01-01T00:00:00Z' },
          {
            kind: 'comment',
            ref: 'cm',
            post_ref: 'post',
            author_ref: 'p:ana',
            published_at: '2026-01-01T00:00:00Z',
          },
          person('p:ana', { rev: 1, observed_at: '2026-01-01T00:00:00Z', ...worksAt('c:old') }),
          person('p:ana', { rev: 2, observed_at: '2026-01-02T00:00:00Z', ...worksAt('c:new') }),
        ];
        await ingest(first, seen);
        await first.close();
        // As if the process had ended right after the documents were written.
        const db = client.db();
        const moves = db.collection<{ _id: string; body: string }>('network.moves');
        const observations = db.collection<{ _id: string }>('network.observations');
        const move = await moves.findOne({});
        await moves.deleteMany({});
        await observations.updateOne(
          { _id: 'comment/cm' },
          { $set: { 'echo.parent': 'post', unsettled: 'gone' }, $unset: { 'echo.host': '' } },
        );
        await observations.updateOne(
          { _id: 'person/p:ana' },
          { $set: { unsettled: 'gone', newMoves: [JSON.parse(String(move?.body))] } },
        );
        const second = await openMongoNetwork({ url, networkBaseUrl: NETWORK_BASE_URL });
        const by = { companyRefs: ['c:new'], personRefs: [] };
        const { source } = second;
        const found = await allPages((position) =>
          source.interactions({ ...always, kinds: ['comment'], by, position, limit: 9 }),
        );
        expect(found.map(({ ref }) => ref)).toEqual(['cm']);
        expect((await source.moves({ ...always, limit: 9 })).items).toMatchObject([
          { change: 'new_company' },
        ]);
        expect(await observations.countDocuments({ unsettled: { $exists: true } })).toBe(0);
        await second.close();
      }));
  });
}
