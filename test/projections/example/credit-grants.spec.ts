import { foldAll } from '#kernel/testing/project.js';
import { creditGrants } from './credit-grants.projection.js';

const granted = (credits: string, reason: string, recordedAt: string) => ({
  type: 'CreditsGranted',
  data: { credits, reason },
  metadata: { workspaceId: '5', recordedAt },
});

describe('the credit grants', () => {
  it('add up the grants for each reason', () => {
    const documents = foldAll(creditGrants, [
      granted('1000000', 'bonus', '2026-01-05T10:00:00.000Z'),
      granted('5000000', 'invoice 7', '2026-01-05T11:00:00.000Z'),
      granted('500000', 'bonus', '2026-01-05T12:00:00.000Z'),
    ]);
    expect(documents.size).toBe(2);
    expect(documents.get('5/bonus')).toEqual({
      workspaceId: 5,
      reason: 'bonus',
      grants: 2,
      credits: '1500000',
      lastAt: '2026-01-05T12:00:00.000Z',
    });
  });
});
