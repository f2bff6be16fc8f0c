import { itemRef, refPrefix } from './item-ref.js';

describe('SRC-03 the ref of an item', () => {
  it('is kind, board and item as the provider names them', () => {
    expect(itemRef('greenhouse', 'acme', '4400123')).toBe('greenhouse:acme:4400123');
    expect(refPrefix('greenhouse', 'acme')).toBe('greenhouse:acme:');
  });

  it('is a hash if no store can keep the name', () => {
    const ref = itemRef('feed', 'f', 'half of an emoji \ud83d');
    expect(ref).toMatch(/^feed:f:[\da-f]{64}$/);
    expect(itemRef('feed', 'f', 'half of an emoji \ud83d')).toBe(ref);
    expect(itemRef('feed', 'f', 'an emoji 😀')).toBe('feed:f:an emoji 😀');
  });

  it('is a hash if the name is long, and still begins like all refs of its board', () => {
    const feed = `https://acme.example/${'a'.repeat(400)}`;
    const refs = [
      itemRef('feed', feed, 'x'),
      itemRef('feed', feed, 'y'.repeat(600)),
      itemRef('feed', feed, 'z'.repeat(600)),
    ];
    expect(new Set(refs).size).toBe(3);
    for (const ref of refs) {
      expect(ref.length).toBeLessThanOrEqual(500);
      expect(ref.startsWith(refPrefix('feed', feed))).toBe(true);
    }
    expect(itemRef('feed', 'f', 'y'.repeat(600))).not.toBe(itemRef('feed', 'f', 'z'.repeat(600)));
  });
});
