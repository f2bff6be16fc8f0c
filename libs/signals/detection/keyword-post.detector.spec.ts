import type { JsonValue } from '#kernel/values/json.js';
import { pointAt, positionOf } from '#network/position.js';
import { keywordPostDetector } from './keyword-post.detector.js';
import { sampleRun } from './testing/sample-run.js';
import { samplePost } from './testing/sample-texts.js';

const PAGES = 50;
const MOMENT = '2026-01-03T09:00:00.000Z';

const positionAt = (ref: string): string => positionOf({ at: Date.parse(MOMENT), ref, tie: '' });

const postOf = (ref: string) => samplePost({ ref, position: positionAt(ref), keywordsFound: ['crm'] });

describe('the keyword post detector', () => {
  it('ends a page after bounded work if a filter passes nothing, and the next page continues after it', async () => {
    const asked: string[] = [];
    const run = sampleRun({
      parameters: { tracking_keywords: ['crm'], countries: ['France'] },
      // One matching post per read, by authors without a known country.
      source: {
        posts: async ({ position = null }) => {
          const number = position === null ? 0 : Number(pointAt(position).ref) + 1;
          asked.push(String(number));
          const ref = String(number);
          return { items: [postOf(ref)], next: number + 1 < PAGES ? positionAt(ref) : null };
        },
      },
    });
    const find = (resume: JsonValue) => keywordPostDetector.find(run, resume, 50);

    const first = await find(null);
    expect(first).toMatchObject({ matches: [], more: true });
    expect(asked.length).toBeLessThan(PAGES);
    let page = first;
    while (page.more) page = await find(page.resume);
    expect(asked).toEqual(Array.from({ length: PAGES }, (_, index) => String(index)));
  });

  it('refuses parameters of a wrong type', () => {
    expect(keywordPostDetector.accepts({ tracking_keywords: ['crm'], countries: [], extra: 1 })).toBe(true);
    expect(keywordPostDetector.accepts({ tracking_keywords: 'crm' })).toBe(false);
    expect(keywordPostDetector.accepts({ tracking_keywords: ['crm'], match_mode: 'some' })).toBe(false);
  });
});
