import { openMongoNetwork } from '#network/mongodb/open-mongo-network.js';
import { makeMongoPlace, mongoServer } from './mongo-read-store.fixture.js';
import { ingest } from './network-store/observed.js';
import { at, checkpointAt, placePerCase, publish, run, runs } from './read-store-fixture.js';

const generation = { view: runs, generation: 1 };

const server = mongoServer;
if (server !== null) {
  describe('MongoDB with many concurrent writers', () => {
    const { place, store } = placePerCase(() => makeMongoPlace(server));

    it('keeps the later position if many write a new document at the same moment', async () => {
      const fence = await publish(store, generation, []);
      const other = await place.connect();
      for (let round = 0; round < 20; round += 1) {
        const key = `new-${round}`;
        const positions = [9, 2, 7, 3, 8, 4, 6, 5];
        await Promise.all(
          positions.map((position, writer) =>
            (writer % 2 === 0 ? store : other).write(
              [
                {
                  generation,
                  documents: [{ ...run(round, `at ${position}`), key, position: at(position) }],
                  checkpoint: checkpointAt(1),
                },
              ],
              fence,
            ),
          ),
        );
        expect((await store.load(generation, [key])).get(key)).toMatchObject({
          position: at(9),
          document: { state: 'at 9' },
        });
      }
    });

    it('accepts concurrent ingestions of two connections, and counts each observation once', async () => {
      const open = () => openMongoNetwork({ url: place.url, networkBaseUrl: 'https://n.example' });
      const [left, right] = [await open(), await open()];
      const posts = Array.from({ length: 300 }, (_, index) => ({
        kind: 'post',
        ref: `post:${index}`,
        text: 'shared',
        published_at: '2026-01-01T00:00:00Z',
      }));
      try {
        const [one, two] = await Promise.all([ingest(left, posts), ingest(right, [...posts].reverse())]);
        expect([one.accepted + two.accepted, one.unchanged + two.unchanged]).toEqual([300, 300]);
      } finally {
        await left.close();
        await right.close();
      }
    });
  });
}
