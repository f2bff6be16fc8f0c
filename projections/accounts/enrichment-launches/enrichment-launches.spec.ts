import { foldAll } from '#kernel/testing/project.js';
import { sampleRequest, sampleReservation } from '#projections/testing/sample-events.js';
import { enrichmentLaunchKey, enrichmentLaunches } from './enrichment-launches.projection.js';

const reserved = (personaId: number | null = 4) => ({
  type: 'MappingReserved',
  data: sampleReservation({ personaId }),
  id: '00000000-0000-4000-8000-0000000000aa',
  metadata: { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z', correlationId: 'request-1' },
});
const launch = { companyId: 9, requestDate: '2026-01-05', personaId: 4, requestId: 310, mappingId: 21 };
const dropped = { type: 'MappingDropped', data: { ...launch, reason: 'not_confirmed' } };
const created = { type: 'ContentRequestCreated', data: sampleRequest() };

describe('open reservations of enrichment launches', () => {
  it('are those that were reserved', () => {
    expect(foldAll(enrichmentLaunches, [reserved()]).get(enrichmentLaunchKey(310))).toEqual({
      requestId: 310,
      workspaceId: 1,
      companyId: 9,
      requestDate: '2026-01-05',
      leaseUntil: '2026-01-05T10:00:10.000Z',
      reservedEventId: '00000000-0000-4000-8000-0000000000aa',
      correlationId: 'request-1',
    });
  });

  it('are removed when they are dropped or their request exists', () => {
    for (const end of [dropped, created]) expect(foldAll(enrichmentLaunches, [reserved(), end]).size).toBe(0);
  });

  it('are those of personas', () => {
    expect(foldAll(enrichmentLaunches, [reserved(null)]).size).toBe(0);
  });
});
