import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type Fence, type Generation } from '#kernel/ports/read-store.port.js';
import {
  at,
  checkpointAt,
  fenceOf,
  placePerCase,
  publish,
  runs,
  type MakeReadStorePlace,
  type RunDocument,
} from './read-store-fixture.js';

const generation = (number: number): Generation => ({ view: runs, generation: number });

/** Documents that all name their generation. */
const rowsOf = (number: number, count: number): { key: string; document: RunDocument }[] =>
  Array.from({ length: count }, (_, id) => ({
    key: `run-${id}`,
    document: { id, workspaceId: 7, state: `generation ${number}`, startedAt: '2025' },
  }));

export function readStoreGenerationCases(makePlace: MakeReadStorePlace): void {
  describe('generations', () => {
    const { place, store } = placePerCase(makePlace);

    const fill = async (count: number, fence: Fence): Promise<void> => {
      await store.createGeneration(generation(1));
      const documents = rowsOf(1, count).map((row) => ({ ...row, position: at(1) }));
      await store.write([{ generation: generation(1), documents, checkpoint: checkpointAt(1) }], fence);
    };

    it('reports that a view is unavailable until it has a live generation', async () => {
      await store.createGeneration(generation(1));
      expect(await store.generations(runs)).toEqual({ live: null, all: [1] });
      for (const ask of [
        () => store.get(runs, 'run-1'),
        () => store.getMany(runs, ['run-1']),
        () => store.find(runs, {}),
        () => store.count(runs, {}),
        () => store.groups(runs, {}, { by: [] }),
      ]) {
        const error: unknown = await ask().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(StoreUnavailable);
        expect(error).toHaveProperty('message', expect.stringMatching(/runs version 1 is not built/));
      }
    });

    it('queries the generation that was made live last, and lists them all', async () => {
      await publish(store, generation(2), rowsOf(2, 1));
      await publish(store, generation(1), rowsOf(1, 1));
      expect(await store.generations(runs)).toEqual({ live: 1, all: [1, 2] });
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'generation 1' });
      await store.makeLive(generation(2), await fenceOf(store));
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'generation 2' });
    });

    it('does not make a generation live that is not indexed', async () => {
      await publish(store, generation(1), rowsOf(1, 1));
      const fence = await fenceOf(store);
      await store.createGeneration(generation(2));
      await expect(store.makeLive(generation(2), fence)).rejects.toThrow(/not indexed/);
      expect(await store.generations(runs)).toEqual({ live: 1, all: [1, 2] });
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'generation 1' });
      await store.indexGeneration(generation(2));
      await store.makeLive(generation(2), fence);
      expect(await store.count(runs, {})).toBe(0);
    });

    it('indexes documents written before, once, also for two concurrent calls', async () => {
      const fence = await fenceOf(store);
      const other = await place.connect();
      await fill(2_500, fence);
      await Promise.all([store.indexGeneration(generation(1)), other.indexGeneration(generation(1))]);
      await store.indexGeneration(generation(1));
      await store.makeLive(generation(1), fence);
      const window = { where: { workspaceId: 7, startedAt: '2025' } };
      expect(await other.count(runs, window)).toBe(2_500);
      const page = await store.find(runs, { ...window, sort: [['id', 'desc']], limit: 2 });
      expect(page.map(({ id }) => id)).toEqual([2_499, 2_498]);
    });

    it('accepts documents while it is indexing, and finds them', async () => {
      const fence = await fenceOf(store);
      await fill(2_500, fence);
      let isIndexing = true;
      const indexing = store.indexGeneration(generation(1)).finally(() => (isIndexing = false));
      let written = 0;
      do {
        written += 1;
        const [row] = rowsOf(1, 1);
        if (row === undefined) throw new Error('a row was made');
        const document = { ...row.document, id: 10_000 + written, state: 'late' };
        const late = { key: `late-${written}`, position: at(1 + written), document };
        await store.write(
          [{ generation: generation(1), documents: [late], checkpoint: checkpointAt(1 + written) }],
          fence,
        );
        // An embedded store has written without a turn of the event loop.
        await turn();
      } while (isIndexing);
      await indexing;
      await store.makeLive(generation(1), fence);
      expect(await store.count(runs, { where: { workspaceId: 7, state: 'late' } })).toBe(written);
      expect(await store.count(runs, { where: { workspaceId: 7 } })).toBe(2_500 + written);
    });

    it('refuses to index an unknown generation', async () => {
      await expect(store.indexGeneration(generation(3))).rejects.toThrow(/generation 3 of runs/);
    });

    it('keeps versions apart', async () => {
      const next = { ...runs, version: 2 };
      await publish(store, generation(1), rowsOf(1, 1));
      expect(await store.generations(next)).toEqual({ live: null, all: [] });
      await expect(store.find(next, {})).rejects.toBeInstanceOf(StoreUnavailable);
      await publish(store, { view: next, generation: 1 }, rowsOf(9, 2));
      expect(await store.count(runs, {})).toBe(1);
      expect(await store.count(next, {})).toBe(2);
    });

    it('creates a generation once, and keeps its documents the second time', async () => {
      await publish(store, generation(1), rowsOf(1, 3));
      await store.createGeneration(generation(1));
      expect(await store.count(runs, {})).toBe(3);
      expect(await store.checkpoint(generation(1))).toEqual(checkpointAt(1));
    });

    it('refuses other indexes under the same version', async () => {
      await store.createGeneration(generation(1));
      const changed = { ...runs, indexes: { ...runs.indexes, another: ['score'] } };
      const smaller = { ...runs, onlyWith: { searched: 'title' } };
      const once = { ...runs, compact: true } as const;
      const numbered = { ...runs, instants: ['startedAt'] };
      for (const view of [changed, smaller, once, numbered]) {
        await expect(store.createGeneration({ view, generation: 1 })).rejects.toThrow(
          /indexes of runs changed/,
        );
      }
    });

    it('refuses to make an unknown generation live', async () => {
      const fence = await fenceOf(store);
      await expect(store.makeLive(generation(3), fence)).rejects.toThrow(/generation 3 of runs/);
    });

    it('does not swap for a worker that lost its lease', async () => {
      const fence = await publish(store, generation(1), rowsOf(1, 1));
      await store.createGeneration(generation(2));
      await store.releaseLease(fence.lease, fence);
      await fenceOf(store, 'worker-2');
      await expect(store.makeLive(generation(2), fence)).rejects.toBeInstanceOf(LeaseLost);
      expect(await store.generations(runs)).toEqual({ live: 1, all: [1, 2] });
    });

    it('drops a generation with its checkpoint, so that its number can be used again', async () => {
      await publish(store, generation(1), rowsOf(1, 2));
      await publish(store, generation(2), rowsOf(2, 1));
      await store.dropGeneration(generation(1));
      await store.dropGeneration(generation(1));
      expect(await store.generations(runs)).toEqual({ live: 2, all: [2] });
      expect(await store.checkpoint(generation(1))).toBeNull();
      await store.createGeneration(generation(1));
      expect(await store.scan(generation(1), null, 10)).toEqual([]);
      expect(await store.checkpoint(generation(1))).toBeNull();
    });

    it('lists the generations of every version, and drops those of a version whose indexes nobody knows', async () => {
      const second: Generation = { view: { ...runs, version: 2 }, generation: 1 };
      await publish(store, generation(1), rowsOf(1, 1));
      await publish(store, generation(2), rowsOf(2, 5_000));
      const fence = await publish(store, second, rowsOf(3, 1));
      expect(await store.storedGenerations('runs')).toEqual([
        { version: 1, generation: 1, isLive: false },
        { version: 1, generation: 2, isLive: true },
        { version: 2, generation: 1, isLive: true },
      ]);
      expect(await store.storedGenerations('run')).toEqual([]);
      expect(await store.storedViews()).toEqual(['runs']);
      const unknown = { name: 'runs', version: 1, indexes: {} };
      await store.withdraw({ view: unknown, generation: 2 }, fence);
      for (const number of [1, 2])
        expect(await store.dropGeneration({ view: unknown, generation: number })).toBe(true);
      expect(await store.storedGenerations('runs')).toEqual([{ version: 2, generation: 1, isLive: true }]);
      expect(await store.get(second.view, 'run-0')).toMatchObject({ state: 'generation 3' });
      await publish(store, generation(1), rowsOf(4, 1));
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'generation 4' });
    });

    it('names the views that it has generations of', async () => {
      expect(await store.storedViews()).toEqual([]);
      const view = { name: 'agents', version: 3, indexes: {} };
      await store.createGeneration(generation(1));
      await store.createGeneration({ view, generation: 1 });
      await store.createGeneration({ view, generation: 2 });
      expect(await store.storedViews()).toEqual(['agents', 'runs']);
      for (const number of [1, 2])
        expect(await store.dropGeneration({ view, generation: number })).toBe(true);
      expect(await store.storedViews()).toEqual(['runs']);
    });

    it('keeps the live generation: it is dropped after it is withdrawn', async () => {
      const fence = await publish(store, generation(1), rowsOf(1, 1));
      expect(await store.dropGeneration(generation(1))).toBe(false);
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'generation 1' });
      expect(await store.checkpoint(generation(1))).toEqual(checkpointAt(1));
      expect(await store.generations(runs)).toEqual({ live: 1, all: [1] });
      await store.withdraw(generation(1), fence);
      expect(await store.dropGeneration(generation(1))).toBe(true);
      expect(await store.dropGeneration(generation(1))).toBe(true);
      expect(await store.generations(runs)).toEqual({ live: null, all: [] });
      await expect(store.get(runs, 'run-0')).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('either drops a generation or makes it live if both happen at once, and always has a live one', async () => {
      const other = await place.connect();
      const fence = await publish(store, generation(1), rowsOf(1, 2));
      let live = 1;
      const outcomes = new Set<boolean>();
      for (let round = 0; round < 20; round += 1) {
        const next = live === 1 ? 2 : 1;
        await store.createGeneration(generation(next));
        const position = 2 + round;
        const documents = rowsOf(next, 2).map((row) => ({ ...row, position: at(position) }));
        const checkpoint = checkpointAt(position);
        await store.write([{ generation: generation(next), documents, checkpoint }], fence);
        await store.indexGeneration(generation(next));
        const swap = async () => {
          for (let turns = 0; turns < round % 7; turns += 1) await turn();
          await store.makeLive(generation(next), fence);
        };
        const [swapped, dropped] = await Promise.allSettled([swap(), other.dropGeneration(generation(next))]);
        const isDropped = dropped.status === 'fulfilled' && dropped.value;
        expect([round, dropped.status, swapped.status]).toEqual([
          round,
          'fulfilled',
          isDropped ? 'rejected' : 'fulfilled',
        ]);
        outcomes.add(isDropped);
        const before = live;
        live = isDropped ? live : next;
        expect((await other.generations(runs)).live).toBe(live);
        expect(await other.get(runs, 'run-1')).toMatchObject({ state: `generation ${live}` });
        if (!isDropped) expect(await other.dropGeneration(generation(before))).toBe(true);
      }
      expect(outcomes.has(true)).toBe(true);
    });

    it('answers no queries after the live generation is withdrawn, which keeps its documents', async () => {
      const fence = await publish(store, generation(1), rowsOf(1, 1));
      await publish(store, generation(2), rowsOf(2, 1));
      await store.withdraw(generation(1), fence);
      expect(await store.generations(runs)).toEqual({ live: 2, all: [1, 2] });
      expect(await store.get(runs, 'run-0')).toMatchObject({ state: 'generation 2' });
      await store.withdraw(generation(2), fence);
      await store.withdraw(generation(2), fence);
      expect(await store.generations(runs)).toEqual({ live: null, all: [1, 2] });
      await expect(store.get(runs, 'run-0')).rejects.toBeInstanceOf(StoreUnavailable);
      expect(await store.scan(generation(2), null, 10)).toHaveLength(1);
      await store.makeLive(generation(2), fence);
      expect((await store.generations(runs)).live).toBe(2);
    });

    it('refuses to withdraw a generation whose lease was taken over', async () => {
      const fence = await publish(store, generation(1), rowsOf(1, 1));
      await store.releaseLease(fence.lease, fence);
      await fenceOf(store, 'worker-2');
      await expect(store.withdraw(generation(1), fence)).rejects.toBeInstanceOf(LeaseLost);
      expect((await store.generations(runs)).live).toBe(1);
    });

    it('answers every query while generations are swapped and dropped, and never from two of them', async () => {
      const ROWS = 30;
      const fence = await publish(store, generation(1), rowsOf(1, ROWS));
      const reader = await place.connect();
      let swapping = true;
      const swaps = (async () => {
        for (let number = 2; number <= 12; number += 1) {
          await store.createGeneration(generation(number));
          const documents = rowsOf(number, ROWS).map((row) => ({ ...row, position: at(number) }));
          await store.write(
            [{ generation: generation(number), documents, checkpoint: checkpointAt(number) }],
            fence,
          );
          await store.indexGeneration(generation(number));
          await store.makeLive(generation(number), fence);
          await store.dropGeneration(generation(number - 1));
        }
      })().finally(() => {
        swapping = false;
      });
      const generationsSeen = new Set<string>();
      while (swapping) {
        for (const connection of [store, reader]) {
          const states = (await connection.find(runs, { where: { workspaceId: 7 } })).map(
            ({ state }) => `${state}`,
          );
          expect(states).toEqual(Array.from({ length: ROWS }, () => states[0]));
          expect(await connection.groups(runs, {}, { by: ['state'] })).toMatchObject([{ count: ROWS }]);
          expect(await connection.get(runs, 'run-3')).toMatchObject({ id: 3 });
          generationsSeen.add(`${states[0]}`);
        }
      }
      await swaps;
      expect(generationsSeen.size).toBeGreaterThan(1);
      expect(await reader.generations(runs)).toEqual({ live: 12, all: [12] });
    });
  });
}
