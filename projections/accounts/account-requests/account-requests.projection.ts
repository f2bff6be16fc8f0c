import {
  STAGES_UNDER_WAY,
  type ContentRequestEvents,
  type RequestType,
} from '#accounts/domain/content-requests/content-request.events.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A request for a top account that is to be created and completed. */
export type AccountRequestDocument = {
  readonly requestId: number;
  readonly workspaceId: number;
  readonly type: RequestType;
  readonly companyId: number;
  readonly identifier: string | null;
  readonly requestDate: string;
  readonly mappingId: number | null;
  readonly plannedAt: string;
  readonly created: boolean;
  /** It waits in its first stage. */
  readonly isWaiting: boolean;
  readonly isMapping: boolean;
  /** True for the one request by which an account is counted: the mapping, if there is one. */
  readonly standsForAccount: boolean;
  /** The event that planned it, and the id of the original request. */
  readonly plannedEventId: string;
  readonly correlationId: string;
};

export const accountRequestKey = (requestId: number): string => String(requestId);

type RequestPayloads = Pick<TopAccountEvents, 'AccountRequestsPlanned' | 'AccountRequestsEnded'> &
  Pick<ContentRequestEvents, 'ContentRequestCreated' | 'StageEntered'>;

const FIRST_STAGES: ReadonlySet<string> = new Set(Object.values(STAGES_UNDER_WAY).map(([first]) => first));

export const accountRequests = projection<AccountRequestDocument, RequestPayloads>()({
  name: 'account-requests',
  version: 1,
  critical: true,
  indexes: {
    inOrder: ['workspaceId', 'requestId'],
    toCreate: ['workspaceId', 'created', 'requestId'],
    mappings: ['workspaceId', 'isMapping', 'isWaiting'],
    accounts: ['workspaceId', 'standsForAccount', 'isWaiting'],
  },
  key: ({ data }) =>
    'requests' in data
      ? data.requests.map(({ requestId }) => accountRequestKey(requestId))
      : accountRequestKey(data.requestId),
  on: {
    AccountRequestsPlanned: (_none, event, key) => {
      const { requests, plannedAt } = event.data;
      const id = Number(key);
      const planned = requests.find(({ requestId }) => requestId === id);
      if (planned === undefined) return null;
      return {
        ...planned,
        workspaceId: workspaceIdOf(event),
        plannedAt,
        created: false,
        isWaiting: true,
        isMapping: planned.type === 'account_mapping',
        standsForAccount:
          planned.type === 'account_mapping' ||
          !requests.some(({ companyId, type }) => companyId === planned.companyId && type !== planned.type),
        plannedEventId: event.id,
        correlationId: event.metadata['correlationId'] ?? event.id,
      };
    },
    ContentRequestCreated: (request) => request && { ...request, created: true },
    StageEntered: (request, { data: { stage, outcome } }) =>
      request && { ...request, isWaiting: FIRST_STAGES.has(stage) && outcome === undefined },
    AccountRequestsEnded: () => null,
  },
});
