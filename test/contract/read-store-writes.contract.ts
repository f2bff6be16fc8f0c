import {
  LeaseLost,
  type Checkpoint,
  type Fence,
  type Generation,
  type GuardedDocument,
} from '#kernel/ports/read-store.port.js';
import {
  at,
  checkpointAt,
  fenceOf,
  placePerCase,
  runs,
  type MakeReadStorePlace,
} from './read-store-fixture.js';

const generation: Generation = { view: runs, generation: 1 };
const shadow: Generation = { view: { ...runs, name: 'runStats' }, generation: 4 };

export function readStoreWriteCases(makePlace: MakeReadStorePlace): void {
  describe('projection writes', () => {
    const { place, store } = placePerCase(makePlace);
    let fence: Fence;
    beforeEach(async () => {
      fence = await fenceOf(store);
      await store.createGeneration(generation);
      await store.createGeneration(shadow);
      await store.indexGeneration(generation);
      await store.makeLive(generation, fence);
    });

    const put = (position: number, state: string | null, key = 'run-1'): Promise<void> => {
      const document = state === null ? null : { id: 1, workspaceId: 7, state, startedAt: '2025' };
      const documents = [{ key, position: at(position), document }];
      return store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
    };
    const loaded = async (key = 'run-1'): Promise<GuardedDocument | undefined> =>
      (await store.load(generation, [key])).get(key);

    it('stores a document with its guard, with any JSON', async () => {
      const document = {
        id: 1,
        workspaceId: 7,
        state: 'a "b" \\ \u{1f600}',
        startedAt: '',
        details: { list: [1.5, null, { deep: true }], zero: 0, far: 2 ** 53 - 1 },
      };
      const written = { key: 'run-1', position: at(3), document };
      await store.write([{ generation, documents: [written], checkpoint: checkpointAt(3) }], fence);
      expect(await loaded()).toEqual(written);
      expect(await store.get(runs, 'run-1')).toEqual(document);
      expect(await store.load(generation, ['nobody'])).toEqual(new Map());
    });

    it('returns documents as they were written, if they are stored compactly', async () => {
      const once: Generation = { view: { ...runs, name: 'compacted', compact: true }, generation: 1 };
      const bare = {
        id: 1,
        workspaceId: 7,
        state: null,
        startedAt: '2025',
        details: { state: 'x', title: null, text: '"title":\t"name":null' },
      };
      const documents = [
        bare,
        { ...bare, id: 2, state: 'running', title: 'T', trial: true, credits: null, score: 2.5 },
        { ...bare, id: 3, title: 'half \ud83d', trial: false, score: -(2 ** 40), credits: 'a\0b' },
        { ...bare, id: 4, title: '', score: 0, credits: '0' },
      ];
      const written = documents.map((document) => ({
        key: `run-${document.id}`,
        document,
        position: at(3),
      }));
      const keys = written.map(({ key }) => key);
      await store.createGeneration(once);
      await store.indexGeneration(once);
      await store.makeLive(once, fence);
      await store.write([{ generation: once, documents: written, checkpoint: checkpointAt(3) }], fence);
      expect(await store.load(once, keys)).toEqual(new Map(written.map((each) => [each.key, each])));
      expect(await store.scan(once, null, 9)).toEqual(written);
      expect(await store.getMany(once.view, keys)).toEqual(
        new Map(written.map(({ key, document }) => [key, document])),
      );
      expect(await store.get(once.view, 'run-3')).toEqual(documents[2]);
      const inOrder = [
        ['startedAt', 'asc'],
        ['id', 'asc'],
      ] as const;
      expect(await store.find(once.view, { where: { workspaceId: 7 }, sort: inOrder })).toEqual(documents);
      const merged = { where: { workspaceId: { in: [7, 8] } }, sort: inOrder };
      expect(await store.find(once.view, merged)).toEqual(documents);
      const changed = { ...bare, title: 'now', trial: true };
      const replaces = { position: at(3), document: bare };
      const change = { key: 'run-1', position: at(4), document: changed, replaces };
      await store.write([{ generation: once, documents: [change], checkpoint: checkpointAt(4) }], fence);
      expect(await store.get(once.view, 'run-1')).toEqual(changed);
    });

    it.each([{}, { compact: true } as const])(
      'returns any text of a field of instants as it was written: %o',
      async (form) => {
        const view = { ...runs, ...form, name: 'timed', instants: ['startedAt', 'title'] };
        const times: Generation = { view, generation: 1 };
        const texts = ['2026-02-28T23:59:59.999Z', '2026-02-29T00:00:00.000Z', '2026-03-01T00:00:00Z', ''];
        const documents = texts.map((startedAt, id) => ({ id, workspaceId: 7, state: null, startedAt }));
        const inOrder = { where: { workspaceId: 7 }, sort: [['startedAt', 'asc'] as const] };
        const written = documents.map((document) => ({
          key: `run-${document.id}`,
          document,
          position: at(3),
        }));
        await store.createGeneration(times);
        await store.indexGeneration(times);
        await store.makeLive(times, fence);
        await store.write([{ generation: times, documents: written, checkpoint: checkpointAt(3) }], fence);
        expect(await store.scan(times, null, 9)).toEqual(written);
        expect(await store.get(view, 'run-1')).toEqual(documents[1]);
        expect(await store.find(view, inOrder)).toEqual([3, 0, 1, 2].map((id) => documents[id]));
      },
    );

    it('writes a document over an older one, in every index', async () => {
      await put(1, 'running');
      await put(2, 'completed');
      expect(await loaded()).toMatchObject({ position: at(2), document: { state: 'completed' } });
      expect(await store.count(runs, { where: { state: 'running' } })).toBe(0);
      expect(await store.count(runs, { where: { state: 'completed' } })).toBe(1);
    });

    it('ignores an older write and one at the same position', async () => {
      await put(5, 'completed');
      await put(4, 'running');
      await put(5, 'failed');
      expect(await loaded()).toMatchObject({ position: at(5), document: { state: 'completed' } });
      expect(await store.count(runs, { where: { state: 'completed' } })).toBe(1);
      expect(await store.count(runs, {})).toBe(1);
    });

    const saidNew = (key: string, position: number, state: string): GuardedDocument => ({
      key,
      position: at(position),
      document: { id: 1, workspaceId: 7, state, startedAt: '2025' },
      isNew: true,
    });

    it('is not misled by an existing document, older or newer, that is declared as new', async () => {
      await put(5, 'five');
      for (const [position, state, found] of [
        [4, 'four', 'five'],
        [6, 'six', 'six'],
      ] as const) {
        const documents = [saidNew('run-1', position, state), saidNew('other', position, state)];
        await store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
        expect(await loaded()).toMatchObject({ document: { state: found } });
        expect(await loaded('other')).toMatchObject({ position: at(position), document: { state } });
      }
      expect(await store.count(runs, {})).toBe(2);
    });

    const over = (replaced: number, position: number, state: string, known: string): Promise<void> => {
      const document = { id: 1, workspaceId: 8, state, startedAt: '2025' };
      const replaces = { position: at(replaced), document: { ...document, workspaceId: 7, state: known } };
      const documents = [{ key: 'run-1', position: at(position), document, replaces }];
      return store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
    };

    it('replaces a document that is declared as existing, in every index', async () => {
      await put(1, 'running');
      await over(1, 2, 'completed', 'running');
      expect(await loaded()).toMatchObject({
        position: at(2),
        document: { workspaceId: 8, state: 'completed' },
      });
      expect(await store.count(runs, { where: { workspaceId: 7 } })).toBe(0);
      expect(await store.count(runs, { where: { workspaceId: 8, state: 'running' } })).toBe(0);
      expect(
        await store.count(runs, { where: { workspaceId: 8, state: 'completed', startedAt: '2025' } }),
      ).toBe(1);
    });

    it.each([
      ['another', 5, 3, 6, 'six'],
      ['one that is not there', null, 3, 6, 'six'],
      ['a newer', 5, 5, 4, 'five'],
      ['one of the same position', 5, 5, 5, 'five'],
    ])('is not misled by a wrong declaration of %s', async (_name, stored, replaced, position, state) => {
      if (stored !== null) await put(stored, 'five');
      await over(replaced, position, 'six', 'six');
      const found = { state, workspaceId: state === 'six' ? 8 : 7 };
      expect(await loaded()).toMatchObject({ document: found });
      expect(await store.count(runs, { where: found })).toBe(1);
    });

    it('writes a batch of many new documents completely, and again over existing ones', async () => {
      for (const [position, state] of [
        [4, 'first'],
        [6, 'second'],
      ] as const) {
        const documents = Array.from({ length: 600 }, (_, index) => saidNew(`run-${index}`, position, state));
        await store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
        expect(await store.count(runs, { where: { state } })).toBe(600);
        expect(await loaded('run-599')).toMatchObject({ position: at(position) });
      }
    });

    it('clears an indexed field that a newer document no longer has', async () => {
      const first = { id: 1, workspaceId: 7, state: 'running', startedAt: '2025', title: 'kept?' };
      await store.write(
        [
          {
            generation,
            documents: [{ key: 'run-1', position: at(1), document: first }],
            checkpoint: checkpointAt(1),
          },
        ],
        fence,
      );
      await put(2, 'running');
      expect(await store.count(runs, { where: { title: null } })).toBe(1);
    });

    it('keeps a tombstone, which queries do not see and older writes do not replace', async () => {
      await put(1, 'running');
      await put(5, null);
      await put(4, 'running');
      await put(5, 'running');
      expect(await loaded()).toEqual({ key: 'run-1', position: at(5), document: null });
      expect(await store.get(runs, 'run-1')).toBeNull();
      expect(await store.getMany(runs, ['run-1'])).toEqual(new Map());
      expect(await store.find(runs, { where: { state: null } })).toEqual([]);
      expect(await store.count(runs, {})).toBe(0);
      expect(await store.groups(runs, {}, { by: ['state'] })).toEqual([]);
      expect(await store.scan(generation, null, 10)).toEqual([]);
    });

    it('lets a newer write restore a deleted document, and an older deletion change nothing', async () => {
      await put(5, null);
      await put(6, 'running');
      await put(5, null);
      expect(await loaded()).toMatchObject({ position: at(6), document: { state: 'running' } });
      expect(await store.count(runs, {})).toBe(1);
    });

    it('moves the guard of a tombstone forward and never back', async () => {
      await put(5, null);
      await put(7, null);
      await put(6, null);
      expect(await loaded()).toEqual({ key: 'run-1', position: at(7), document: null });
    });

    it('sweeps the tombstones of deletions older than a position, and nothing else', async () => {
      await put(1, 'running', 'kept');
      await put(2, null, 'old');
      await put(3, null, 'young');
      expect(await store.sweepTombstones(generation, at(3))).toBe(1);
      expect([...(await store.load(generation, ['kept', 'old', 'young'])).keys()].sort()).toEqual([
        'kept',
        'young',
      ]);
      expect(await store.sweepTombstones(generation, at(3))).toBe(0);
    });

    it('saves the checkpoint of every generation with its documents', async () => {
      expect(await store.checkpoint(generation)).toBeNull();
      const document = { id: 1, workspaceId: 7, state: 'running', startedAt: '2025' };
      const counts = { applied: 9, ignored: 30, parked: 1 };
      await store.write(
        [
          {
            generation,
            documents: [{ key: 'run-1', position: at(40), document }],
            checkpoint: checkpointAt(40, counts),
          },
          {
            generation: shadow,
            documents: [{ key: 'all', position: at(41), document }],
            checkpoint: checkpointAt(41),
          },
        ],
        fence,
      );
      expect(await store.checkpoint(generation)).toEqual({ position: at(40), ...counts });
      expect(await store.checkpoint(shadow)).toEqual(checkpointAt(41));
      expect(await store.load(shadow, ['all'])).toEqual(
        new Map([['all', { key: 'all', position: at(41), document }]]),
      );
    });

    it('stores the event of a checkpoint, and none if none is given', async () => {
      const event = { id: '5b0c2d4e-8f7a-4c3b-9d2e-1f0a6b7c8d9e', recordedAt: '2026-01-05T10:00:00.000Z' };
      const save = (position: number, named: Partial<Checkpoint>) =>
        store.write([{ generation, documents: [], checkpoint: checkpointAt(position, named) }], fence);
      await save(40, { event });
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(40, { event }));
      await save(39, { event: { ...event, id: 'older' } });
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(40, { event }));
      await save(41, {});
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(41));
    });

    it('never moves a checkpoint back, and accepts new counts at the same position', async () => {
      const save = (position: number, applied: number): Promise<void> =>
        store.write([{ generation, documents: [], checkpoint: checkpointAt(position, { applied }) }], fence);
      await save(5, 5);
      await save(4, 4);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(5, { applied: 5 }));
      await save(5, 6);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(5, { applied: 6 }));
    });

    it('shows another connection the documents as soon as it shows the checkpoint', async () => {
      const reader = await place.connect();
      await put(1, 'running');
      let seen = at(0);
      const writing = (async () => {
        for (let position = 2; position <= 40; position += 1) await put(position, `state ${position}`);
      })();
      while (seen !== at(40)) {
        seen = (await reader.checkpoint(generation))?.position ?? seen;
        const document = (await reader.load(generation, ['run-1'])).get('run-1');
        expect(document?.position === undefined || document.position >= seen).toBe(true);
      }
      await writing;
    });

    it('refuses the write of a worker whose lease was taken over', async () => {
      await put(1, 'running');
      await store.releaseLease(fence.lease, fence);
      const next = await fenceOf(store, 'worker-2');
      await expect(put(2, 'failed')).rejects.toBeInstanceOf(LeaseLost);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(1));
      await store.write([{ generation, documents: [], checkpoint: checkpointAt(3) }], next);
      expect(await store.checkpoint(generation)).toEqual(checkpointAt(3));
    });

    it('refuses the write of a worker that released its lease, or never had one', async () => {
      await store.releaseLease(fence.lease, fence);
      await expect(put(1, 'running')).rejects.toBeInstanceOf(LeaseLost);
      const none = { lease: 'nobody has this', epoch: 1 };
      await expect(
        store.write([{ generation, documents: [], checkpoint: checkpointAt(1) }], none),
      ).rejects.toBeInstanceOf(LeaseLost);
      expect(await store.checkpoint(generation)).toBeNull();
    });

    it('scans a generation in key order, page by page', async () => {
      for (const key of ['b', 'a', 'd', 'c']) await put(1, 'running', key);
      await put(2, null, 'c');
      const first = await store.scan(generation, null, 2);
      expect(first.map(({ key }) => key)).toEqual(['a', 'b']);
      expect(first[0]).toMatchObject({ position: at(1), document: { state: 'running' } });
      expect((await store.scan(generation, 'b', 2)).map(({ key }) => key)).toEqual(['d']);
      expect(await store.scan(generation, 'd', 2)).toEqual([]);
    });

    it('refuses a document with an empty key, which a scan would not find', async () => {
      await expect(put(1, 'running', '')).rejects.toThrow(/empty key/);
    });

    it('refuses an indexed field that is no scalar, and writes nothing of it', async () => {
      const documents = [{ key: 'run-1', position: at(1), document: { id: [1] } }];
      const written = store.write([{ generation, documents, checkpoint: checkpointAt(1) }], fence);
      await expect(written).rejects.toThrow(/id of runs run-1/);
      expect(await store.checkpoint(generation)).toBeNull();
      expect(await loaded()).toBeUndefined();
    });
  });
}
