import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { MappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A mapping without its people. */
export type CompanyMappingDocument = {
  readonly id: number;
  readonly workspaceId: number;
  /** null if an earlier system did not state it; the same applies to the day and the version. */
  readonly companyId: number | null;
  readonly personaId: number | null;
  /** A day, `2026-07-01`. */
  readonly requestDate: string | null;
  /** null: its launch failed, and the paid profiles remain; or an earlier system did not state it. */
  readonly status: 'in_progress' | 'complete' | null;
  readonly version: number | null;
  /** Launches that contributed to it. */
  readonly requestIds: readonly number[];
};

type MappingPayloads = Omit<MappingEvents, 'RequestFenced'> &
  Pick<ContentRequestEvents, 'ContentRequestFailed'>;

export const companyMappingKey = (id: number): string => String(id);

export const companyMappings = projection<CompanyMappingDocument, MappingPayloads>()({
  name: 'company-mappings',
  version: 1,
  indexes: { newestFirst: ['workspaceId', 'requestDate', 'id'] },
  key: ({ data: { mappingId } }) => (mappingId === null ? null : companyMappingKey(mappingId)),
  on: {
    MappingStarted: (_none, event) => {
      const { mappingId, companyId, personaId, requestDate } = event.data;
      return {
        id: mappingId,
        workspaceId: workspaceIdOf(event),
        companyId,
        personaId,
        requestDate,
        status: 'in_progress',
        version: 1,
        requestIds: [],
      };
    },
    LegacyMappingImported: (_none, event) => {
      const { mappingId, companyId, requestDate, status, version } = event.data;
      const known = { companyId, personaId: null, requestDate, status, version };
      return { id: mappingId, workspaceId: workspaceIdOf(event), ...known, requestIds: [] };
    },
    ProfilesMapped: (mapping, { data: { requestId } }) => {
      // A complete mapping stays complete while its people are read again.
      if (mapping === null || mapping.status === 'complete') return mapping;
      const requestIds = mapping.requestIds.includes(requestId)
        ? mapping.requestIds
        : [...mapping.requestIds, requestId];
      return { ...mapping, status: 'in_progress', version: requestIds.length, requestIds };
    },
    MappingCompleted: (mapping, { data }) =>
      mapping && { ...mapping, status: 'complete', version: data.version },
    CompanyMappingRematerialized: (mapping, { data }) => mapping && { ...mapping, version: data.version },
    ContentRequestFailed: (mapping) =>
      mapping && { ...mapping, status: mapping.status === 'complete' ? 'complete' : null },
  },
});
