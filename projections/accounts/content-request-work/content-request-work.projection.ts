import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

type Created = ContentRequestEvents['ContentRequestCreated'];

/** A request to complete. */
export type ContentRequestWorkDocument = {
  readonly requestId: number;
  readonly workspaceId: number;
  readonly companyId: number;
  readonly type: Created['type'];
  readonly source: Created['source'];
  readonly requestDate: string;
  readonly createdPosition: Position;
  /** Id of the ContentRequestCreated event: the cause of the request's commands. */
  readonly createdEventId: string;
  /** Id of the original request. */
  readonly correlationId: string;
};

const contentRequestWorkKey = (requestId: number): string => String(requestId);

export const contentRequestWork = projection<
  ContentRequestWorkDocument,
  Omit<ContentRequestEvents, 'StageEntered'>
>()({
  name: 'content-request-work',
  version: 1,
  critical: true,
  indexes: {
    oldestFirst: ['type', 'source', 'createdPosition', 'requestId'],
    byWorkspace: ['workspaceId', 'type', 'source', 'createdPosition', 'requestId'],
  },
  key: ({ data: { requestId } }) => contentRequestWorkKey(requestId),
  on: {
    ContentRequestCreated: (_none, event) => {
      const { requestId, companyId, type, source, requestDate } = event.data;
      return {
        requestId,
        workspaceId: workspaceIdOf(event),
        companyId,
        type,
        source,
        requestDate,
        createdPosition: event.position,
        createdEventId: event.id,
        correlationId: event.metadata['correlationId'] ?? event.id,
      };
    },
    ContentRequestCompleted: () => null,
    ContentRequestFailed: () => null,
  },
});
