import { companyRefs } from '#identities/company-refs.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { Query } from '#kernel/ports/read-store.port.js';
import type { ProcessHost } from '#process-engine/process.js';
import { isWatchedAt } from './domain/coverage-facts.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';

/** The accounts that are covered because they are monitored (D-16). */
export function monitoredCoverage({
  readModels,
  directory,
}: Pick<ProcessHost, 'readModels' | 'directory'>): Coverage {
  return {
    async coveredAccounts({ workspaceId, personaId, at }) {
      const workspace = await readModels.get(workspaces, workspaceKey(workspaceId));
      const isExempt = workspace?.billing === 'exempt';
      const moment = at.toISOString();
      const units = await readModels.find(monitoredUnits, maybeCovered(workspaceId, personaId, moment));
      const covered = units.filter((unit) => isWatchedAt(unit, moment, isExempt));
      const companyIds = covered.map(({ companyId }) => companyId);
      const refs = await companyRefs({ readModels, directory }, companyIds);
      return [...new Set([...refs.values()].flat())].sort();
    },
  };
}

/**
 * Every unit of a persona that may be covered at a moment: those that may be due, and those whose cover ends later. The
 * others are not read, because their number grows with every account that was ever monitored.
 */
const maybeCovered = (workspaceId: number, personaId: number, at: string): Query => ({
  anyOf: [
    { where: { workspaceId, personaId, status: 'monitored' } },
    { where: { workspaceId, personaId, coveredTo: { gt: at } } },
  ],
});
