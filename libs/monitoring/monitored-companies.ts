import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { monitoredMembers } from '#projections/monitoring/monitored-members/monitored-members.projection.js';

/** The companies that a list requests now; only that of one member if it is named. */
export async function monitoredCompanies(
  readModels: ReadModels,
  workspaceId: number,
  listId: number,
  memberId?: number,
): Promise<ReadonlySet<number>> {
  const found = await readModels.find(monitoredMembers, {
    where: { workspaceId, listId, ...(memberId === undefined ? { isWanted: true } : { memberId }) },
  });
  return new Set(found.map(({ companyId }) => companyId));
}
