import { foldAll } from '#kernel/testing/project.js';
import { sampleProfile, sampleRequest } from '#projections/testing/sample-events.js';
import { contentRequestKey, contentRequests } from './content-requests.projection.js';

const created = { type: 'ContentRequestCreated', data: sampleRequest() };
const LATER = '2026-01-05T10:00:05.000Z';
const entered = (stage: string) => ({
  type: 'StageEntered',
  data: { requestId: 310, stage, enteredAt: LATER },
});
const after = (...events: readonly { type: string; data: object }[]) =>
  foldAll(contentRequests, events).get(contentRequestKey(310));

describe('content requests', () => {
  it('are ready when they are created', () => {
    expect(after(created)).toEqual({
      id: 310,
      workspaceId: 1,
      type: 'account_mapping',
      stage: 'account_mapping_ready',
      failedReason: null,
      createdAt: '2026-01-05T10:00:00.000Z',
      updatedAt: '2026-01-05T10:00:00.000Z',
      companyId: 9,
      personaId: 4,
      source: 'api',
      identifier: 'acme.com',
      mappingId: null,
      isCompleted: false,
    });
    const content = { type: 'ContentRequestCreated', data: sampleRequest({ type: 'top_account_content' }) };
    expect(after(content)?.stage).toBe('top_account_content_scraping_ready');
  });

  it('advance from stage to stage', () => {
    expect(after(created, entered('account_mapping_in_progress'))).toMatchObject({
      stage: 'account_mapping_in_progress',
      updatedAt: LATER,
    });
  });

  it('name their mapping from its first profile on', () => {
    const mapped = {
      type: 'ProfilesMapped',
      data: { mappingId: 21, requestId: 310, profiles: [sampleProfile()] },
    };
    expect(after(created, mapped)).toMatchObject({ mappingId: 21, stage: 'account_mapping_ready' });
  });

  it('OP-59 name the mapping that they complete, also if they added no profile to it', () => {
    const completed = (mappingId: number | null) => ({
      type: 'ContentRequestCompleted',
      data: { requestId: 310, mappingId, completedAt: LATER },
    });
    expect(after(created, completed(21))?.mappingId).toBe(21);
    expect(after(created, completed(null))?.mappingId).toBeNull();
  });

  it('end completed, or failed with a reason', () => {
    const completed = { requestId: 310, mappingId: 21, completedAt: LATER };
    expect(after(created, { type: 'ContentRequestCompleted', data: completed })).toMatchObject({
      stage: 'completed',
      failedReason: null,
      isCompleted: true,
      updatedAt: LATER,
    });
    const stage = 'account_mapping_failed';
    const failed = { requestId: 310, mappingId: 21, stage, reason: 'internal_error', failedAt: LATER };
    expect(after(created, { type: 'ContentRequestFailed', data: failed })).toMatchObject({
      stage,
      failedReason: 'internal_error',
      isCompleted: false,
      updatedAt: LATER,
    });
  });
});
