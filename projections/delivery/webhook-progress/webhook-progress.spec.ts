import { foldAll } from '#kernel/testing/project.js';
import { webhookProgressViews } from './webhook-progress.projection.js';

describe('the progress of webhook endpoints', () => {
  it('DLV-05 stores for each endpoint the event up to which everything is settled', () => {
    const settled = (endpointId: number, throughId: string) => ({
      type: 'WebhookEventsSettled',
      data: { endpointId, throughId, settledAt: '2026-06-01T10:00:00.000Z' },
    });
    const folded = foldAll(webhookProgressViews, [
      settled(4, 'evt_1_0'),
      settled(5, 'evt_2_0'),
      settled(4, 'evt_3_0'),
    ]);
    expect([...folded.values()]).toEqual([
      { workspaceId: 1, endpointId: 4, throughId: 'evt_3_0' },
      { workspaceId: 1, endpointId: 5, throughId: 'evt_2_0' },
    ]);
  });
});
