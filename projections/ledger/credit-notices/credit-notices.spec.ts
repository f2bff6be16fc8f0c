import { foldAll } from '#kernel/testing/project.js';
import { creditNotices } from './credit-notices.projection.js';

describe('the notices about credits', () => {
  it('copy the payload of such an entry, one document per entry, and ignore other entries', () => {
    const low = { credits: '20000000', balance: '19000000' };
    const notices = [
      { type: 'CreditsLow', data: low },
      { type: 'CreditsLow', data: low },
      { type: 'CreditsRunOut', data: { balance: '0' } },
    ];
    const other = { type: 'CreditsGranted', data: { movementId: 1, credits: '1', reason: 'contract' } };
    const folded = [...foldAll(creditNotices, [...notices, other]).values()];
    expect(folded).toEqual(notices.map((notice) => ({ workspaceId: 1, ...notice })));
  });
});
