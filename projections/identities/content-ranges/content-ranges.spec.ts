import { foldAll } from '#kernel/testing/project.js';
import { sampleContentFacts } from '#projections/testing/sample-events.js';
import { contentRanges } from './content-ranges.projection.js';

const captured = (contentId: number) => ({
  type: 'ContentCaptured',
  data: {
    contentId,
    ref: `post:${contentId}`,
    type: 'post',
    facts: sampleContentFacts(),
    leadId: null,
    companyId: null,
  },
});

describe('the ranges of contents', () => {
  it('count the contents of ten thousand ids each', () => {
    const ranges = foldAll(contentRanges, [1, 9_999, 10_000, 29_999].map(captured));
    expect([...ranges.values()]).toEqual([
      { workspaceId: 1, firstId: 0, contents: 2 },
      { workspaceId: 1, firstId: 10_000, contents: 1 },
      { workspaceId: 1, firstId: 20_000, contents: 1 },
    ]);
  });
});
