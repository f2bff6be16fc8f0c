import type { ReadModels } from '#kernel/read-store.port.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import { listsOfCompanies } from '#projections/listed-companies/listed-companies.projection.js';
import { lists, type ListDocument } from '#projections/lists/lists.projection.js';
import {
  reachedCompanies,
  type ReachedCompanyDocument,
} from '#projections/reached-companies/reached-companies.projection.js';

const KEY_LIST_TYPES: readonly string[] = ['customer', 'prospect'];
/** Companies read in one go: a few milliseconds. */
const PAGE = 500;

/**
 * How many of the companies that a setup reached since `start` are on a customer or prospect list that is in use
 * now (OP-20, OP-48). A workspace without members on such lists is not asked for its companies at all.
 */
export async function countKeyAccounts(
  readModels: ReadModels,
  workspaceId: number,
  setupId: number,
  start: string,
): Promise<number> {
  const inUse = await readModels.find<ListDocument>(lists, {
    where: { workspaceId, deleted: false, archived: false },
    sort: [['id', 'asc']],
  });
  const keyLists = new Set(
    inUse
      .filter(({ type, member_count }) => KEY_LIST_TYPES.includes(type) && member_count > 0)
      .map(({ id }) => id),
  );
  if (keyLists.size === 0) return 0;
  let count = 0;
  for (let after: readonly [string, number] | null = null; ;) {
    const page: readonly ReachedCompanyDocument[] = await readModels.find<ReachedCompanyDocument>(
      reachedCompanies,
      {
        where: { workspaceId, setupId, lastDetectedAt: { gte: start } },
        sort: [
          ['lastDetectedAt', 'asc'],
          ['companyId', 'asc'],
        ],
        ...(after === null ? {} : { after }),
        limit: PAGE,
      },
    );
    const listed = await listsOf(readModels, workspaceId, page);
    count += listed.filter((listIds) => listIds.some((listId) => keyLists.has(listId))).length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return count;
    after = [last.lastDetectedAt, last.companyId];
  }
}

async function listsOf(
  readModels: ReadModels,
  workspaceId: number,
  reached: readonly ReachedCompanyDocument[],
): Promise<readonly (readonly number[])[]> {
  const keys = reached.map(({ companyId }) => companyKey(companyId));
  const known = await readModels.getMany<CompanyDocument>(companies, keys);
  const identities = [...known.values()].map(({ networkHandle, domain }) => ({
    handle: networkHandle,
    domains: domain === null ? [] : [domain],
  }));
  return listsOfCompanies(readModels, workspaceId, identities);
}
