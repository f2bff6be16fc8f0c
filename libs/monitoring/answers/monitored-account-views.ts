import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Static } from '#kernel/values/schema.js';
import { accountStatuses, NEVER_MONITORED } from '#monitoring/account-statuses.js';
import type { TopAccountDocument } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import type { LastReads } from '#identities/observed-at.js';
import { topAccountViews } from '#accounts/answers/top-account-views.js';
import type { MonitoredAccountView } from './monitored-account.view.js';

export type MonitoredAccountAnswer = Static<typeof MonitoredAccountView>;

/** Accounts as v3 answers them, in the same order; the status is that for one business unit, or (null) for all. */
export async function monitoredAccountViews(
  readModels: ReadModels,
  directory: LastReads,
  workspaceId: number,
  personaId: number | null,
  accounts: readonly TopAccountDocument[],
): Promise<readonly MonitoredAccountAnswer[]> {
  const companyIds = accounts.map(({ companyId }) => companyId);
  const [views, statuses] = await Promise.all([
    topAccountViews(readModels, directory, workspaceId, accounts),
    accountStatuses(readModels, workspaceId, personaId, companyIds),
  ]);
  return views.map((view) => {
    const seen = statuses.get(view.company_id) ?? NEVER_MONITORED;
    return {
      ...view,
      monitoring: {
        status: seen.status,
        covered_until: seen.coveredUntil,
        not_covered_since: seen.notCoveredSince,
        not_covered_reason: seen.notCoveredReason,
      },
    };
  });
}
