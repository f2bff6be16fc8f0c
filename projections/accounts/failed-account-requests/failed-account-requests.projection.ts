import {
  REQUEST_TYPES,
  type FailedReason,
  type RequestType,
} from '#accounts/domain/content-requests/content-request.events.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The newest request of a type for a listed company, if it failed: the network may learn the missing facts. */
export type FailedAccountRequestDocument = {
  readonly requestId: number;
  readonly workspaceId: number;
  readonly companyId: number;
  readonly type: RequestType;
  readonly reason: FailedReason;
  /** The day (UTC) of the failure. */
  readonly failedOn: string;
};

const keyOf = (workspaceId: number, companyId: number, type: RequestType): string =>
  `${workspaceId}_${companyId}_${type}`;

type FailurePayloads = Pick<
  TopAccountEvents,
  'AccountRequestsPlanned' | 'AccountRequestsEnded' | 'TopAccountRemoved'
>;

export const failedAccountRequests = projection<FailedAccountRequestDocument, FailurePayloads>()({
  name: 'failed-account-requests',
  version: 1,
  critical: true,
  indexes: { inOrder: ['workspaceId', 'requestId'], byDay: ['failedOn', 'workspaceId', 'requestId'] },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    const { data } = event;
    return 'requests' in data
      ? data.requests.map(({ companyId, type }) => keyOf(workspaceId, companyId, type))
      : REQUEST_TYPES.map((type) => keyOf(workspaceId, data.companyId, type));
  },
  on: {
    AccountRequestsPlanned: () => null,
    TopAccountRemoved: () => null,
    AccountRequestsEnded: (_known, event, key) => {
      const workspaceId = workspaceIdOf(event);
      const { requests, endedAt } = event.data;
      const ended = requests.find(({ companyId, type }) => keyOf(workspaceId, companyId, type) === key);
      if (ended === undefined || ended.outcome === 'completed') return null;
      const { requestId, companyId, type, outcome } = ended;
      return { requestId, workspaceId, companyId, type, reason: outcome, failedOn: endedAt.slice(0, 10) };
    },
  },
});
