import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { monitoredMembers } from '#projections/monitoring/monitored-members/monitored-members.projection.js';
import {
  monitoredUnits,
  unitName,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';

/** The number of requested members of each list that are covered for at least one of its business units (OP-26). */
export async function monitoredCounts(
  readModels: ReadModels,
  workspaceId: number,
  listIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (listIds.length === 0) return new Map();
  const where = { workspaceId, listId: { in: listIds }, isWanted: true };
  const isUncovered = await readModels.find(monitoredUnits, {
    where: { workspaceId, status: 'not_covered' },
  });
  if (isUncovered.length === 0) {
    const groups = await readModels.groups(monitoredMembers, { where }, { by: ['listId'] });
    return new Map(groups.map(({ by, count }) => [Number(by[0]), count]));
  }
  const uncovered = new Set(isUncovered.map(({ unit }) => unit));
  const counts = new Map<number, number>();
  for (const { listId, companyId, personaIds } of await readModels.find(monitoredMembers, { where })) {
    if (personaIds.every((personaId) => uncovered.has(unitName(companyId, personaId)))) continue;
    counts.set(listId, (counts.get(listId) ?? 0) + 1);
  }
  return counts;
}
