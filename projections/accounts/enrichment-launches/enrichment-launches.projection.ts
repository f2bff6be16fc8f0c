import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { MappingDayEvents } from '#accounts/domain/mappings/mapping.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A reservation that is neither dropped nor followed by its request: its caller may be lost. */
export type EnrichmentLaunchDocument = {
  readonly requestId: number;
  readonly workspaceId: number;
  readonly companyId: number;
  readonly requestDate: string;
  /** The end of the caller's lease. */
  readonly leaseUntil: string;
  readonly reservedEventId: string;
  /** Id of the original request. */
  readonly correlationId: string;
};

type LaunchPayloads = Pick<MappingDayEvents, 'MappingReserved' | 'MappingDropped'> &
  Pick<ContentRequestEvents, 'ContentRequestCreated'>;

export const enrichmentLaunchKey = (requestId: number): string => String(requestId);

/** Only launches for personas: launches without a persona belong to the pipelines of top accounts. */
export const enrichmentLaunches = projection<EnrichmentLaunchDocument, LaunchPayloads>()({
  name: 'enrichment-launches',
  version: 1,
  critical: true,
  indexes: {
    byLease: ['leaseUntil', 'requestId'],
    byWorkspace: ['workspaceId', 'leaseUntil', 'requestId'],
  },
  key: ({ data: { personaId, requestId } }) => (personaId === null ? null : enrichmentLaunchKey(requestId)),
  on: {
    MappingReserved: (_none, event) => {
      const { requestId, companyId, requestDate, leaseUntil } = event.data;
      return {
        requestId,
        workspaceId: workspaceIdOf(event),
        companyId,
        requestDate,
        leaseUntil,
        reservedEventId: event.id,
        correlationId: event.metadata['correlationId'] ?? event.id,
      };
    },
    MappingDropped: () => null,
    ContentRequestCreated: () => null,
  },
});
