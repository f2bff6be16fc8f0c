import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { MappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

type Created = ContentRequestEvents['ContentRequestCreated'];
type Failed = ContentRequestEvents['ContentRequestFailed'];

/** One background pipeline of one company, as it is queried. */
export type ContentRequestDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly type: Created['type'];
  readonly stage: ContentRequestEvents['StageEntered']['stage'] | Failed['stage'] | 'completed';
  readonly failedReason: Failed['reason'] | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly companyId: number;
  readonly personaId: number | null;
  readonly source: Created['source'];
  readonly identifier: string | null;
  /** The mapping that it contributes to, once that exists; null before its first profile. */
  readonly mappingId: number | null;
  /** Requests that are not completed are returned if no stage is given. */
  readonly isCompleted: boolean;
};

type RequestPayloads = ContentRequestEvents & Pick<MappingEvents, 'ProfilesMapped'>;

export const contentRequestKey = (id: number): string => String(id);

export const contentRequests = projection<ContentRequestDocument, RequestPayloads>()({
  name: 'content-requests',
  version: 3,
  indexes: {
    byCompany: ['workspaceId', 'companyId', 'isCompleted', 'createdAt', 'id'],
    allOfCompany: ['workspaceId', 'companyId', 'createdAt', 'id'],
    countedByCompany: ['workspaceId', 'companyId', 'stage', 'type', 'createdAt'],
    byType: ['workspaceId', 'type', 'stage', 'createdAt', 'id'],
    notCompleted: ['workspaceId', 'isCompleted', 'createdAt', 'id'],
  },
  key: (event) => contentRequestKey(event.data.requestId),
  on: {
    ContentRequestCreated: (_none, event) => {
      const { requestId, type, createdAt, companyId, personaId, source, identifier } = event.data;
      const stage =
        type === 'account_mapping' ? 'account_mapping_ready' : 'top_account_content_scraping_ready';
      return {
        id: requestId,
        workspaceId: workspaceIdOf(event),
        type,
        stage,
        failedReason: null,
        createdAt,
        updatedAt: createdAt,
        companyId,
        personaId,
        source,
        identifier,
        mappingId: null,
        isCompleted: false,
      };
    },
    StageEntered: (request, { data: { stage, enteredAt } }) =>
      request && { ...request, stage, updatedAt: enteredAt },
    ContentRequestCompleted: (request, { data }) =>
      request && {
        ...request,
        stage: 'completed',
        mappingId: data.mappingId ?? request.mappingId,
        isCompleted: true,
        updatedAt: data.completedAt,
      },
    ContentRequestFailed: (request, { data: { stage, reason, failedAt } }) =>
      request && { ...request, stage, failedReason: reason, updatedAt: failedAt },
    ProfilesMapped: (request, { data }) => request && { ...request, mappingId: data.mappingId },
  },
});
