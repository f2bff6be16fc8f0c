import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { droppedMark, pointerEntries, tableOf } from '#read-store/mongodb/catalogue.js';
import { rowsWithEntryReader } from '#read-store/mongodb/rows-with-entry.js';
import { makeMongoPlace, mongoServer } from './mongo-read-store.fixture.js';
import { publish, run, runs } from './read-store-fixture.js';

const generation = { view: runs, generation: 1 };

const server = mongoServer;
if (server !== null) {
  describe('pointers of read models on MongoDB', () => {
    let place: Awaited<ReturnType<typeof makeMongoPlace>>;
    let store: ReadStore;
    let raw: MongoClient;
    let db: Db;
    beforeEach(async () => {
      place = await makeMongoPlace(server);
      store = await place.connect();
      raw = new MongoClient(place.url);
      db = raw.db();
    });
    afterEach(async () => {
      await raw.close();
      await place.remove();
    });

    it('answers from the generation that the pointer names after the documents were read', async () => {
      await publish(store, generation, [run(0, 'first'), run(1, 'first')]);
      const reader = await place.connect();
      const answers = async () => [
        (await reader.get(runs, 'run-0'))?.state,
        (await reader.getMany(runs, ['run-0', 'run-2'])).size,
        (await reader.find(runs, { where: { state: 'first' } })).length,
        await reader.count(runs, {}),
        (await reader.groups(runs, {}, { by: ['state'] })).map(({ by }) => by[0]),
      ];
      expect(await answers()).toEqual(['first', 1, 2, 2, ['first']]);
      const second = { view: runs, generation: 2 };
      const fence = await publish(store, second, [run(0, 'second')]);
      expect(await answers()).toEqual(['second', 1, 0, 1, ['second']]);
      await store.dropGeneration(generation);
      expect(await answers()).toEqual(['second', 1, 0, 1, ['second']]);
      await store.withdraw(second, fence);
      await store.dropGeneration(second);
      await expect(reader.get(runs, 'run-0')).rejects.toThrow(StoreUnavailable);
    });

    it('begins a generation without a checkpoint whose drop was interrupted right after its mark', async () => {
      const second = { view: runs, generation: 2 };
      await publish(store, second, [run(0, 'second')]);
      await publish(store, generation, [run(0, 'first')]);
      await pointerEntries(db).updateOne({ _id: 'runs_v1' }, { $set: { [droppedMark(second)]: true } });
      await store.createGeneration(second);
      expect([await store.checkpoint(second), (await store.load(second, ['run-0'])).size]).toEqual([null, 0]);
      await publish(store, second, [run(0, 'again')]);
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'again' });
    });

    it('reads documents and pointer in two calls if a server cannot join them', async () => {
      await publish(store, generation, [run(0), run(1)]);
      const rowsWithEntry = rowsWithEntryReader();
      let joins = 0;
      const joining = async (): Promise<never> => {
        joins += 1;
        throw new MongoServerError({ code: 238, message: '$facet is not implemented' });
      };
      const plain = {
        collection: (name: string) => {
          const real = db.collection(name);
          return {
            collectionName: name,
            findOne: real.findOne.bind(real),
            aggregate: (stages: Document[]) =>
              stages.some((stage) => '$facet' in stage) ? { toArray: joining } : real.aggregate(stages),
          };
        },
      } as unknown as Db;
      const stages = [{ $match: { _alive: true } }, { $sort: { _id: 1 } }, { $project: { _id: 1 } }];
      for (let call = 0; call < 2; call += 1) {
        const answer = await rowsWithEntry(plain, tableOf(generation), { stages }, 'runs_v1');
        expect(answer.rows()).toEqual([{ _id: 'run-0' }, { _id: 'run-1' }]);
        expect(answer.entry).toMatchObject({ kind: 'pointer', live: 1 });
      }
      expect(joins).toBe(1);
    });

    it.each([
      ['ended', 43, StoreUnavailable],
      ['refused', 2, MongoServerError],
    ])('returns the error, and no rows, for a read that the server has %s', async (_, code, fault) => {
      await publish(store, generation, [run(0), run(1)]);
      const ending = {
        collection: (name: string) => {
          const real = db.collection(name);
          const toArray = () => Promise.reject(new MongoServerError({ code, message: 'no rows' }));
          return {
            collectionName: name,
            findOne: real.findOne.bind(real),
            aggregate: () => ({ toArray }),
          };
        },
      } as unknown as Db;
      const answer = await rowsWithEntryReader()(ending, tableOf(generation), { stages: [] }, 'runs_v1');
      expect(answer.entry).toMatchObject({ kind: 'pointer', live: 1 });
      expect(() => answer.rows()).toThrow(fault);
    });

    it('returns all rows if they are too many for one call', async () => {
      const many = Array.from({ length: 1_005 }, (_, id) => run(id));
      await publish(store, generation, many);
      expect(await store.find(runs, {})).toHaveLength(many.length);
      const keys = many.map(({ key }) => key);
      expect((await store.getMany(runs, keys)).size).toBe(many.length);
      expect(await store.groups(runs, {}, { by: ['id'] })).toHaveLength(many.length);
      expect((await store.load(generation, keys)).size).toBe(many.length);
    });
  });
}
