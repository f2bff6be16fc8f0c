import type { TopAccountEvents, TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A found account of the workspace's top account list. */
export type TopAccountDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly companyId: number;
  /** The ref of the company on the observed network; null if it is not observed yet. */
  readonly companyRef: string | null;
  readonly tier: TopAccountTier | null;
  /** The business unit that it belongs to; null for all of them. */
  readonly personaId: number | null;
  readonly importedAt: string;
};

export const topAccountKey = (id: number): string => String(id);

type TopAccountPayloads = Pick<
  TopAccountEvents,
  'TopAccountFound' | 'TopAccountAssigned' | 'TopAccountTierSet' | 'TopAccountRemoved'
>;

export const topAccounts = projection<TopAccountDocument, TopAccountPayloads>()({
  name: 'top-accounts',
  version: 2,
  indexes: {
    byWorkspace: ['workspaceId', 'id'],
    byPersona: ['workspaceId', 'personaId', 'id'],
    byCompany: ['workspaceId', 'companyId'],
  },
  key: (event) => topAccountKey(event.data.accountId),
  on: {
    TopAccountFound: (_none, event) => ({
      id: event.data.accountId,
      workspaceId: workspaceIdOf(event),
      companyId: event.data.companyId,
      companyRef: event.data.companyRef,
      tier: event.data.tier,
      personaId: null,
      importedAt: event.data.foundAt,
    }),
    TopAccountAssigned: (account, { data }) => account && { ...account, personaId: data.personaId },
    TopAccountTierSet: (account, { data }) => account && { ...account, tier: data.tier },
    TopAccountRemoved: () => null,
  },
});
