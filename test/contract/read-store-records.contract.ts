import { placePerCase, type MakeReadStorePlace } from './read-store-fixture.js';

export function readStoreRecordCases(makePlace: MakeReadStorePlace): void {
  describe('records', () => {
    const { place, store } = placePerCase(makePlace);

    it('keeps the last value put under a kind and key, for every connection', async () => {
      expect(await store.getRecord('snapshot', 'credits-7')).toBeNull();
      await store.putRecord('snapshot', 'credits-7', { revision: '999', state: { held: ['1', null] } });
      await store.putRecord('snapshot', 'credits-7', { revision: '1999' });
      await store.putRecord('parked', 'credits-7', 3);
      const other = await place.connect();
      expect(await other.getRecord('snapshot', 'credits-7')).toEqual({ revision: '1999' });
      expect(await other.getRecord('parked', 'credits-7')).toBe(3);
    });

    it('deletes one record and nothing if there is none', async () => {
      await store.putRecord('parked', 'a', 1);
      await store.putRecord('parked', 'b', 2);
      await store.deleteRecord('parked', 'a');
      await store.deleteRecord('parked', 'a');
      expect(await store.getRecord('parked', 'a')).toBeNull();
      expect(await store.getRecord('parked', 'b')).toBe(2);
    });

    it('lists the records of a kind whose keys start with a literal prefix, in key order', async () => {
      for (const key of ['a%1', 'a%3', 'a%2', 'ab', 'a%2\u{1f600}', 'b'])
        await store.putRecord('parked', key, key);
      await store.putRecord('note', 'a%0', 'another kind');
      expect(await store.listRecords('parked', 'a%', 10)).toEqual(
        ['a%1', 'a%2', 'a%2\u{1f600}', 'a%3'].map((key) => ({ key, value: key })),
      );
      expect((await store.listRecords('parked', '', 2)).map(({ key }) => key)).toEqual(['a%1', 'a%2']);
      expect(await store.listRecords('parked', 'c', 10)).toEqual([]);
      expect((await store.listRecords('parked', 'a%', 2, 'a%1')).map(({ key }) => key)).toEqual([
        'a%2',
        'a%2\u{1f600}',
      ]);
      expect(await store.listRecords('parked', '', 10, 'b')).toEqual([]);
    });

    it('answers a ping, and reports that it is unavailable once closed', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
      await store.close();
      await expect(store.ping()).rejects.toHaveProperty('name', 'StoreUnavailable');
    });
  });
}
