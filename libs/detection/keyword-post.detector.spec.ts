import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource, ObservedPost } from '#network/network-source.port.js';
import { sampleLaunch } from '#projections/testing/sample-events.js';
import { keywordPostDetector } from './keyword-post.detector.js';

const PAGES = 50;
const MOMENT = '2026-01-03T09:00:00.000Z';

const postOf = (ref: string): ObservedPost => ({
  ref,
  rev: 1,
  url: null,
  text: 'crm',
  publishedAt: MOMENT,
  authorRef: null,
  author: null,
  commentCount: 0,
  reactionCount: 0,
  keywordsFound: ['crm'],
});

describe('the keyword post detector', () => {
  it('ends a page after bounded work when a filter lets nothing pass, and the next one goes on behind it', async () => {
    const asked: string[] = [];
    // Matching posts, one a read, by authors of whom nobody knows the country.
    const source: NetworkSource = {
      posts: async ({ position }) => {
        const number = position?.ref === undefined ? 0 : Number(position.ref) + 1;
        asked.push(String(number));
        const ref = String(number);
        return { posts: [postOf(ref)], next: number + 1 < PAGES ? { publishedAt: MOMENT, ref } : null };
      },
      positionBeforeNewest: async () => null,
      jobPostings: async () => ({ postings: [], next: null }),
      jobPostingBeforeNewest: async () => null,
    };
    const directory = { companies: async () => new Map() } as unknown as NetworkDirectory;
    const launch = sampleLaunch({ parameters: { tracking_keywords: ['crm'], countries: ['France'] } });
    const detect = (cursor: string | null) =>
      keywordPostDetector({ source, directory }, launch, cursor, 50, async () => new Set());

    const first = await detect(null);
    expect(first).toMatchObject({ matches: [], more: true });
    expect(asked.length).toBeLessThan(PAGES);
    let page = first;
    while (page.more) page = await detect(page.cursor);
    expect(asked).toEqual(Array.from({ length: PAGES }, (_, index) => String(index)));
  });
});
