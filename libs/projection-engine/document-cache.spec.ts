import { documentCache, estimatedBytes } from './document-cache.js';

const document = (key: string, text = '') => ({ key, position: '1', document: { text } });
const WIDE = { maxDocuments: 100, maxBytes: 1_000_000 };

describe('the document cache', () => {
  it('drops what was not used lately first, by number', () => {
    const cache = documentCache({ ...WIDE, maxDocuments: 2 }, false);
    cache.put(document('a'));
    cache.put(document('b'));
    cache.get('a');
    cache.put(document('c'));
    expect([cache.get('a')?.key, cache.get('b')?.key, cache.get('c')?.key]).toEqual(['a', undefined, 'c']);
  });

  it('drops by estimated bytes, and never keeps one that is too large alone', () => {
    const cache = documentCache({ ...WIDE, maxBytes: 3_000 }, false);
    cache.put(document('a', 'x'.repeat(500)));
    cache.put(document('b', 'x'.repeat(500)));
    cache.put(document('c', 'x'.repeat(500)));
    expect([cache.get('a'), cache.get('c')?.key]).toEqual([undefined, 'c']);
    cache.put(document('d', 'x'.repeat(5_000)));
    expect([cache.get('c'), cache.get('d')]).toEqual([undefined, undefined]);
  });

  it('does not grow when a document is replaced', () => {
    const cache = documentCache({ ...WIDE, maxBytes: 3_000 }, false);
    for (let round = 0; round < 50; round += 1) cache.put(document('a', 'x'.repeat(500)));
    cache.put(document('b'));
    expect(cache.get('a')?.key).toBe('a');
  });

  it('keeps no more documents than its bounds allow', () => {
    const cache = documentCache({ ...WIDE, maxDocuments: 4 }, false);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) cache.put(document(key));
    expect(keys.filter((key) => cache.get(key) !== undefined)).toEqual(['d', 'e']);
  });

  it('counts the bytes of a document once, however often it is replaced or used', () => {
    const cache = documentCache({ ...WIDE, maxBytes: 8_000 }, false);
    const keys = ['a', 'b', 'c', 'd'];
    cache.put(document('b', 'x'.repeat(500)));
    for (let round = 0; round < 50; round += 1) cache.put(document('a', 'x'.repeat(500)));
    expect(cache.get('b')?.key).toBe('b');
    for (const key of ['c', 'd']) cache.put(document(key, 'x'.repeat(500)));
    for (let round = 0; round < 50; round += 1) expect(keys.map((key) => cache.get(key)?.key)).toEqual(keys);
  });

  it('knows which keys a new generation cannot have, also when it has dropped documents', () => {
    const cache = documentCache({ ...WIDE, maxDocuments: 2 }, true);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) cache.put(document(key));
    expect(cache.get('a')).toBeUndefined();
    expect(keys.map(cache.mayBeStored)).toEqual(keys.map(() => true));
    expect(cache.mayBeStored('f')).toBe(false);
  });

  it('knows a key that was dropped while others were used', () => {
    const cache = documentCache({ ...WIDE, maxDocuments: 4 }, true);
    for (const key of ['a', 'b', 'c', 'd']) cache.put(document(key));
    for (const key of ['a', 'b']) cache.get(key);
    expect(cache.get('c')).toBeUndefined();
    expect(cache.mayBeStored('c')).toBe(true);
  });

  it('knows nothing of the keys of a generation that was there before', () => {
    expect(documentCache(WIDE, false).mayBeStored('a')).toBe(true);
  });

  it('never denies a key that was dropped, and seldom claims one that never was', () => {
    const cache = documentCache({ ...WIDE, maxDocuments: 10 }, true);
    for (let id = 0; id < 50_000; id += 1) cache.put(document(`workspace-7/${id}`));
    const claimed = (of: string): number =>
      Array.from({ length: 50_000 }, (_, id) => cache.mayBeStored(`${of}/${id}`)).filter(Boolean).length;
    expect(claimed('workspace-7')).toBe(50_000);
    expect(claimed('workspace-8')).toBeLessThan(500);
  });

  it('estimates nested values by their size', () => {
    expect(estimatedBytes({ a: ['x'.repeat(100)], b: { c: 'y'.repeat(100) } })).toBeGreaterThan(400);
    expect(estimatedBytes(null)).toBeLessThan(100);
  });
});
