import type {
  NotFoundReason,
  TopAccountEvents,
  TopAccountTier,
} from '#accounts/domain/top-accounts/top-accounts.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A submitted account for which no company was found, as it was last sent. */
export type NotFoundAccountDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly networkUrl: string | null;
  readonly domain: string | null;
  readonly tier: TopAccountTier | null;
  readonly reason: NotFoundReason;
  readonly submittedAt: string;
};

const notFoundAccountKey = (id: number): string => String(id);

type NotFoundPayloads = Pick<TopAccountEvents, 'TopAccountNotFound' | 'AccountsResolved'>;

export const notFoundAccounts = projection<NotFoundAccountDocument, NotFoundPayloads>()({
  name: 'not-found-accounts',
  version: 1,
  indexes: { byWorkspace: ['workspaceId', 'id'] },
  key: ({ data }) =>
    'clearedIds' in data ? data.clearedIds.map(notFoundAccountKey) : notFoundAccountKey(data.accountId),
  on: {
    TopAccountNotFound: (known, event) => ({
      id: event.data.accountId,
      workspaceId: workspaceIdOf(event),
      networkUrl: event.data.networkUrl,
      domain: event.data.domain,
      // A tier that is not sent again stays.
      tier: event.data.tier ?? known?.tier ?? null,
      reason: event.data.reason,
      submittedAt: event.data.submittedAt,
    }),
    AccountsResolved: () => null,
  },
});
