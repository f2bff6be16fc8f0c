import { foldAll } from '#kernel/testing/project.js';
import { sampleAddition, sampleMember } from '#projections/testing/sample-events.js';
import { memberEnrichmentWork } from './member-enrichment-work.projection.js';

const added = (kind: 'company' | 'profile') => sampleAddition(kind, 14, [sampleMember(31), sampleMember(32)]);
const enriched = (...memberIds: number[]) => ({
  type: 'MembersEnriched',
  data: {
    listId: 14,
    batch: 31,
    members: memberIds.map((memberId) => ({ memberId, profile: null })),
    enrichedAt: '2026-01-05T10:00:01.000Z',
  },
});

describe('the pending profile look-ups', () => {
  it('contain the people added by one event', () => {
    expect([...foldAll(memberEnrichmentWork, [added('profile')]).values()]).toEqual([
      {
        batch: 31,
        workspaceId: 1,
        listId: 14,
        members: [
          { memberId: 31, handle: 'm31' },
          { memberId: 32, handle: 'm32' },
        ],
        addedPosition: '000000000000',
        addedEventId: '00000000-0000-4000-8000-000000000000',
        correlationId: '00000000-0000-4000-8000-000000000000',
      },
    ]);
  });

  it('exclude companies', () => {
    expect(foldAll(memberEnrichmentWork, [added('company')]).size).toBe(0);
  });

  it('decrease with each result and end with none', () => {
    const [left] = foldAll(memberEnrichmentWork, [added('profile'), enriched(31)]).values();
    expect(left?.members).toEqual([{ memberId: 32, handle: 'm32' }]);
    expect(foldAll(memberEnrichmentWork, [added('profile'), enriched(31), enriched(32)]).size).toBe(0);
    expect(foldAll(memberEnrichmentWork, [added('profile'), enriched(31, 32)]).size).toBe(0);
  });
});
