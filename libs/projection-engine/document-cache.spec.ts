import { documentCache, estimatedBytes } from './document-cache.js';

const document = (key: string, text = '') => ({ key, position: '1', document: { text } });
const WIDE = { maxDocuments: 100, maxBytes: 1_000_000 };

describe('the document cache', () => {
  it('drops the least recently used first, by number', () => {
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

  it('knows everything of a new generation until it drops something', () => {
    const cache = documentCache({ ...WIDE, maxDocuments: 2 }, true);
    cache.put(document('a'));
    cache.put(document('b'));
    expect(cache.isComplete()).toBe(true);
    cache.put(document('c'));
    expect(cache.isComplete()).toBe(false);
    expect(documentCache(WIDE, false).isComplete()).toBe(false);
  });

  it('estimates nested values by their size', () => {
    expect(estimatedBytes({ a: ['x'.repeat(100)], b: { c: 'y'.repeat(100) } })).toBeGreaterThan(400);
    expect(estimatedBytes(null)).toBeLessThan(100);
  });
});
