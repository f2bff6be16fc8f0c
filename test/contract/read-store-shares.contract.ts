import {
  LeaseLost,
  type Fence,
  type Generation,
  type ShareCheckpoint,
} from '#kernel/ports/read-store.port.js';
import { at, fenceOf, placePerCase, runs, type MakeReadStorePlace } from './read-store-fixture.js';

const generation: Generation = { view: runs, generation: 1 };
const NAME = 'projections:all:share:1';

export function readStoreShareCases(makePlace: MakeReadStorePlace): void {
  describe('shares of partitions', () => {
    const { store } = placePerCase(makePlace);
    let fence: Fence;
    beforeEach(async () => {
      const leader = await fenceOf(store);
      await store.createGeneration(generation);
      await store.indexGeneration(generation);
      await store.makeLive(generation, leader);
      await store.createShare(NAME, { position: at(5), event: mark(5), counts: {} });
      fence = await taken('worker-1');
    });

    const mark = (position: number) => ({ id: `event-${position}`, recordedAt: '2026-01-05T10:00:00.000Z' });
    const taken = async (holder: string): Promise<Fence> => {
      const lease = await store.acquireLease(NAME, holder, 5_000);
      if (lease === null) throw new Error('the share is held by another worker');
      return { lease: lease.name, epoch: lease.epoch };
    };
    const checkpoint = (position: number, applied = 1): ShareCheckpoint => ({
      position: at(position),
      event: mark(position),
      counts: { runs_v1_g1: { applied, ignored: 0, parked: 0 } },
    });
    const put = (position: number, state: string, by = fence): Promise<void> => {
      const document = { id: 1, workspaceId: 7, state, startedAt: '2025' };
      const documents = [{ key: 'run-1', position: at(position), document }];
      return store.writeShare([{ generation, documents }], checkpoint(position), by);
    };

    it('shows documents and checkpoint of a share, and leaves the checkpoint of the generation unchanged', async () => {
      await put(7, 'running');
      expect(await store.get(runs, 'run-1')).toMatchObject({ state: 'running' });
      expect(await store.shares()).toEqual([{ name: NAME, ...checkpoint(7) }]);
      expect(await store.checkpoint(generation)).toBeNull();
    });

    it('moves the checkpoint without documents', async () => {
      await store.writeShare([], checkpoint(9, 0), fence);
      expect(await store.shares()).toEqual([{ name: NAME, ...checkpoint(9, 0) }]);
    });

    it('writes no document over a later one', async () => {
      await put(8, 'completed');
      await store.createShare(NAME, { position: at(5), event: mark(5), counts: {} });
      await put(7, 'running', await taken('worker-1'));
      expect(await store.get(runs, 'run-1')).toMatchObject({ state: 'completed' });
    });

    it('refuses a former holder from the moment that its lease is taken over or released', async () => {
      await put(7, 'running');
      await store.releaseLease(NAME, fence);
      await expect(put(8, 'completed')).rejects.toThrow(LeaseLost);
      const next = await taken('worker-2');
      await expect(put(8, 'completed')).rejects.toThrow(LeaseLost);
      await put(8, 'failed', next);
      expect(await store.get(runs, 'run-1')).toMatchObject({ state: 'failed' });
      expect(await store.shares()).toEqual([{ name: NAME, ...checkpoint(8) }]);
    });

    it('refuses a write to a share that does not exist', async () => {
      await store.deleteShare(NAME);
      await store.deleteShare(NAME);
      await expect(put(7, 'running')).rejects.toThrow(LeaseLost);
      expect(await store.get(runs, 'run-1')).toBeNull();
      expect(await store.shares()).toEqual([]);
    });

    it('lists shares by name, those without an event too', async () => {
      const first: ShareCheckpoint = { position: '', counts: {} };
      await store.createShare('projections:all:share:0', first);
      expect((await store.shares()).map(({ name }) => name)).toEqual(['projections:all:share:0', NAME]);
      expect((await store.shares())[0]).toEqual({ name: 'projections:all:share:0', ...first });
    });
  });
}
