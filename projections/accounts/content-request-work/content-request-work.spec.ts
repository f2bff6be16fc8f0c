import { foldAll } from '#kernel/testing/project.js';
import { sampleRequest } from '#projections/testing/sample-events.js';
import { contentRequestWork } from './content-request-work.projection.js';

const created = {
  type: 'ContentRequestCreated',
  data: sampleRequest(),
  id: '00000000-0000-4000-8000-0000000000aa',
  metadata: { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z', correlationId: 'request-1' },
};
const LATER = '2026-01-05T10:00:05.000Z';

describe('the requests to complete', () => {
  it('are those that were created', () => {
    expect([...foldAll(contentRequestWork, [created]).values()]).toEqual([
      {
        requestId: 310,
        workspaceId: 1,
        companyId: 9,
        type: 'account_mapping',
        source: 'api',
        requestDate: '2026-01-05',
        createdPosition: '000000000000',
        createdEventId: created.id,
        correlationId: 'request-1',
      },
    ]);
  });

  it('are removed at their end', () => {
    const completed = { requestId: 310, mappingId: 21, completedAt: LATER };
    const failed = {
      requestId: 310,
      mappingId: 21,
      stage: 'account_mapping_failed',
      reason: 'internal_error',
      failedAt: LATER,
    };
    for (const end of [
      { type: 'ContentRequestCompleted', data: completed },
      { type: 'ContentRequestFailed', data: failed },
    ])
      expect(foldAll(contentRequestWork, [created, end]).size).toBe(0);
  });

  it('are critical, so that a parked workspace stops its work', () => {
    expect(contentRequestWork.critical).toBe(true);
  });
});
