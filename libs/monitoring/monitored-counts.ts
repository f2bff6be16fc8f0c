import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { monitoredMembers } from '#projections/monitoring/monitored-members/monitored-members.projection.js';
import {
  monitoredUnits,
  unitName,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { requestsOfLists } from './list-requests.js';

/** The number of requested members of each list that are covered for at least one of its business units (OP-26). */
export async function monitoredCounts(
  readModels: ReadModels,
  workspaceId: number,
  listIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (listIds.length === 0) return new Map();
  const isCovered = await coverageOf(readModels, workspaceId);
  if (isCovered === 'all') {
    const where = { workspaceId, listId: { in: listIds }, isWanted: true };
    const groups = await readModels.groups(monitoredMembers, { where }, { by: ['listId'] });
    return new Map(groups.map(({ by, count }) => [Number(by[0]), count]));
  }
  const counts = new Map<number, number>();
  const members = await requestsOfLists(readModels, workspaceId, listIds);
  for (const { listId, companyId, personaIds } of members) {
    if (!personaIds.some((personaId) => isCovered(unitName(companyId, personaId)))) continue;
    counts.set(listId, (counts.get(listId) ?? 0) + 1);
  }
  return counts;
}

/**
 * Whether a requested unit is covered, by its name. Reads the names of those that are covered or of those that are not, whichever
 * are fewer: where the credits have run out, hardly any of tens of thousands are covered.
 */
async function coverageOf(
  readModels: ReadModels,
  workspaceId: number,
): Promise<((unit: string) => boolean) | 'all'> {
  const countOf = (status: string): Promise<number> =>
    readModels.count(monitoredUnits, { where: { workspaceId, status } });
  // Groups contain no documents, which take most of the time to read.
  const namesOf = async (status: string): Promise<ReadonlySet<unknown>> =>
    new Set(
      (await readModels.groups(monitoredUnits, { where: { workspaceId, status } }, { by: ['unit'] })).map(
        ({ by: [unit] }) => unit,
      ),
    );
  const [covered, uncovered] = await Promise.all([countOf('monitored'), countOf('not_covered')]);
  if (uncovered === 0) return 'all';
  const names = await namesOf(covered < uncovered ? 'monitored' : 'not_covered');
  return covered < uncovered ? (unit) => names.has(unit) : (unit) => !names.has(unit);
}
