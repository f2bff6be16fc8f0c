import { foldAll } from '#kernel/testing/project.js';
import { sampleContentFacts } from '#projections/testing/sample-events.js';
import { contentKey, contents } from './contents.projection.js';

describe('the contents read model', () => {
  it('CNT-01 keeps what a detection refers to, for its workspace', () => {
    const captured = {
      type: 'ContentCaptured',
      data: {
        contentId: 88,
        ref: 'post:1',
        type: 'post',
        facts: sampleContentFacts(),
        leadId: 77,
        companyId: 9,
      },
    };
    expect(foldAll(contents, [captured]).get(contentKey(88))).toEqual({
      id: 88,
      workspaceId: 1,
      type: 'post',
      leadId: 77,
      companyId: 9,
      facts: sampleContentFacts(),
    });
  });
});
