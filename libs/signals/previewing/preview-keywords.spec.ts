import type { NetworkSource, ObservedPost, PostSearch } from '#network/network-source.port.js';
import { positionOf } from '#network/position.js';
import { samplePost } from '#signals/detection/testing/sample-texts.js';
import { previewKeywords } from './preview-keywords.js';

const asked = { keywords: ['crm', 'erp'], now: new Date('2026-06-01T10:00:00.000Z'), lookbackDays: 30 };

const post = (at: number): ObservedPost =>
  samplePost({
    position: positionOf({ at, ref: `post-${at}`, tie: '' }),
    ref: `post-${at}`,
    text: 'a crm',
    publishedAt: new Date(Date.UTC(2026, 4, 10, 0, at)).toISOString(),
    keywordsFound: ['crm'],
  });

/** A network with this many posts; `onPage` is called for each page read. */
function networkOf(count: number, onPage: () => void = () => undefined): Pick<NetworkSource, 'posts'> {
  let read = 0;
  return {
    posts: async ({ limit }: PostSearch) => {
      onPage();
      const items = Array.from({ length: Math.min(limit, count - read) }, (_, at) => post(read + at));
      read += items.length;
      return { items, next: read < count ? (items.at(-1)?.position ?? null) : null };
    },
  };
}

describe('QUO-03 counting the posts of a preview', () => {
  it('counts all posts of a window, and shows the oldest ten', async () => {
    const preview = await previewKeywords(networkOf(450), asked);
    expect(preview).toMatchObject({ posts: 450, stoppedBecause: null, countedUntil: null });
    expect([...preview.counts]).toEqual([
      ['crm', 450],
      ['erp', 0],
    ]);
    expect(preview.samples).toHaveLength(10);
  });

  it('ends at the maximum number of posts, and says how far it came', async () => {
    const preview = await previewKeywords(networkOf(451), asked, { mostTexts: 450, mostMs: 60_000 });
    expect(preview).toMatchObject({
      posts: 450,
      stoppedBecause: 'too_many',
      countedUntil: post(449).publishedAt,
    });
  });

  it('is complete if the last countable post is the last post', async () => {
    const preview = await previewKeywords(networkOf(450), asked, { mostTexts: 450, mostMs: 60_000 });
    expect(preview).toMatchObject({ posts: 450, stoppedBecause: null });
  });

  it('ends after a page when its time is over', async () => {
    let pages = 0;
    const network = networkOf(10_000_000, () => {
      pages += 1;
    });
    const preview = await previewKeywords(network, asked, { mostTexts: 10_000_000, mostMs: 1 });
    expect(preview).toMatchObject({ posts: pages * 200, stoppedBecause: 'too_long' });
    expect(preview.countedUntil).toBe(post(pages * 200 - 1).publishedAt);
  });
});
