import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import {
  LeaseLost,
  type Generation,
  type GenerationFilling,
  type GuardedDocument,
  type ProjectionWrite,
} from '#kernel/ports/read-store.port.js';
import { at, checkpointAt, fenceOf, placePerCase, runs, type RunDocument } from './read-store-fixture.js';
import { makeSqlitePlace } from './sqlite-read-store.fixture.js';

const plain: Generation = { view: runs, generation: 1 };
const beside: Generation = { view: runs, generation: 2 };
const KEYS = ['a', 'b', 'c', 'd'];

const run = (id: number, state: string | null = 'running'): RunDocument => ({
  id,
  workspaceId: 7,
  state,
  startedAt: '2025',
});
const written = (generation: Generation, position: number, key: string, id = position): ProjectionWrite => ({
  generation,
  documents: [{ key, position: at(position), document: run(id) }],
  checkpoint: checkpointAt(position),
});

describe('generations that another thread writes', () => {
  const { place, store } = placePerCase(makeSqlitePlace);
  beforeEach(async () => {
    for (const generation of [plain, beside]) await store.createGeneration(generation);
  });

  const begun = (): GenerationFilling => {
    const filling = store.fillBeside?.([beside]);
    if (filling === undefined) throw new Error('embedded stores fill on a thread');
    return filling;
  };

  it('have the same content as those written normally, including deletions and their guards', async () => {
    const filling = begun();
    const fence = await fenceOf(store);
    let position = 0;
    await fc.assert(
      fc.asyncProperty(slicesArbitrary, async (slices) => {
        const known = new Map<string, GuardedDocument>();
        for (const slice of slices) {
          const documents = new Map<string, GuardedDocument>();
          for (const { key, state, isKnown } of slice) {
            position += 1;
            const found = known.get(key);
            const document = state === 'deleted' ? null : { ...run(position, state) };
            const guarded = { key, position: at(position), document };
            documents.set(key, found !== undefined && isKnown ? { ...guarded, replaces: found } : guarded);
          }
          for (const { key, position: own, document } of documents.values())
            known.set(key, { key, position: own, document });
          const write = { documents: [...documents.values()], checkpoint: checkpointAt(position) };
          await store.write([{ ...write, generation: plain }], fence);
          await filling.write([{ ...write, generation: beside }], fence);
          expect(await filling.load(beside, KEYS)).toEqual(await store.load(plain, KEYS));
        }
        await filling.settled();
      }),
      { numRuns: 60 },
    );
    expect(await store.load(beside, KEYS)).toEqual(await store.load(plain, KEYS));
    expect(await store.checkpoint(beside)).toEqual(checkpointAt(position));
    expect(columnsOf(place.path, 'runs_v1_g2')).toEqual(columnsOf(place.path, 'runs_v1_g1'));
    await filling.end();
  });

  it('are indexed after the earlier writes', async () => {
    const filling = begun();
    const fence = await fenceOf(store);
    void filling.write([written(beside, 1, 'a')], fence);
    await filling.indexGeneration(beside);
    await store.makeLive(beside, fence);
    expect(await store.find(runs, { where: { state: 'running' } })).toEqual([run(1)]);
    await filling.end();
  });

  it('get nothing after a refused write', async () => {
    const filling = begun();
    const lost = await fenceOf(store);
    await filling.write([written(beside, 1, 'a')], lost);
    await filling.settled();
    await store.releaseLease('projections', lost);
    const fence = await fenceOf(store, 'worker-2');
    const refused = filling.write([written(beside, 2, 'b')], lost);
    const behind = filling.write([written(beside, 3, 'c')], fence);
    await expect(filling.settled()).rejects.toBeInstanceOf(LeaseLost);
    await Promise.allSettled([refused, behind]);
    await expect(filling.write([written(beside, 4, 'd')], fence)).rejects.toBeInstanceOf(LeaseLost);
    await expect(filling.load(beside, ['a'])).rejects.toBeInstanceOf(LeaseLost);
    await expect(filling.indexGeneration(beside)).rejects.toBeInstanceOf(LeaseLost);
    await filling.end();
    expect(await store.checkpoint(beside)).toEqual(checkpointAt(1));
    expect([...(await store.load(beside, KEYS)).keys()]).toEqual(['a']);
  });

  it('limit the text that waits for the thread', async () => {
    const filling = begun();
    const fence = await fenceOf(store);
    const details = 'x'.repeat(3 << 20);
    const large = (position: number): ProjectionWrite => ({
      generation: beside,
      documents: [{ key: 'a', position: at(position), document: { ...run(position), details } }],
      checkpoint: checkpointAt(position),
    });
    for (const position of [1, 2, 3, 4]) await filling.write([large(position)], fence);
    // Four times three million characters were accepted, and eight million may wait: the first two are written.
    expect((await store.checkpoint(beside))?.position ?? '').not.toBe('');
    await filling.settled();
    expect(await store.checkpoint(beside)).toEqual(checkpointAt(4));
    await filling.end();
  });

  it('end the wait for indexes that are not built because the store is closed', async () => {
    const indexing = begun().indexGeneration(beside);
    const refused = expect(indexing).rejects.toBeInstanceOf(StoreUnavailable);
    await store.close();
    await refused;
  });

  it('stay unchanged if the store is closed meanwhile', async () => {
    const filling = begun();
    const fence = await fenceOf(store);
    await filling.write([written(beside, 1, 'a')], fence);
    await store.close();
    await expect(filling.settled()).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(filling.write([written(beside, 2, 'b')], fence)).rejects.toBeInstanceOf(StoreUnavailable);
    const again = await place.connect();
    const checkpoint = await again.checkpoint(beside);
    expect([...(await again.load(beside, KEYS)).keys()]).toEqual(checkpoint === null ? [] : ['a']);
  });
});

const slicesArbitrary = fc.array(
  fc.array(
    fc.record({
      key: fc.constantFrom(...KEYS),
      state: fc.constantFrom('running', 'failed', null, 'deleted'),
      isKnown: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  { maxLength: 5 },
);

function columnsOf(path: string, table: string): readonly unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare(`SELECT * FROM "${table}" ORDER BY _key`).all();
  db.close();
  return rows;
}
