import { eachPage } from '#kernel/projections/each-page.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import { listedCompanies, listsOf } from '#projections/lists/listed-companies/listed-companies.projection.js';
import { lists } from '#projections/lists/lists/lists.projection.js';
import {
  reachedCompanies,
  reachedCompanyKey,
} from '#projections/signals/reached-companies/reached-companies.projection.js';

const KEY_LIST_TYPES: readonly string[] = ['customer', 'prospect'];
/** Handles and domains of one read: a few milliseconds. */
const PAGE = 500;

/**
 * The number of companies that a setup reached since `start` and that are on an active customer or prospect list
 * (OP-20, OP-48). Only companies that the workspace knows and has on a list are read, for any number of either.
 */
export async function countKeyAccounts(
  readModels: ReadModels,
  workspaceId: number,
  setupId: number,
  start: string,
): Promise<number> {
  const keyLists = await keyListsOf(readModels, workspaceId);
  if (keyLists.size === 0) return 0;
  const keyAccounts = new Set<number>();
  const pages = eachPage(readModels, listedCompanies, {
    where: { workspaceId, isMet: true },
    sort: [['identity', 'asc']],
    limit: PAGE,
  });
  for await (const page of pages) {
    const onKeyLists = page.filter(({ memberships }) =>
      memberships.some(({ listId }) => keyLists.has(listId)),
    );
    const candidates = onKeyLists
      .flatMap(({ companyIds }) => companyIds)
      .filter((companyId) => !keyAccounts.has(companyId));
    const reached = await reachedOf(readModels, { workspaceId, setupId, start }, candidates);
    for (const listed of onKeyLists) {
      for (const company of listed.companyIds.flatMap(
        (companyId) => reached.get(companyKey(companyId)) ?? [],
      )) {
        if (listsOf(listed, company).some((listId) => keyLists.has(listId))) keyAccounts.add(company.id);
      }
    }
  }
  return keyAccounts.size;
}

async function keyListsOf(readModels: ReadModels, workspaceId: number): Promise<ReadonlySet<number>> {
  const inUse = await readModels.find(lists, {
    where: { workspaceId, deleted: false, archived: false },
    sort: [['id', 'asc']],
  });
  return new Set(
    inUse
      .filter(({ type, member_count }) => KEY_LIST_TYPES.includes(type) && member_count > 0)
      .map(({ id }) => id),
  );
}

/** Those of these companies that the setup reached. */
async function reachedOf(
  readModels: ReadModels,
  { workspaceId, setupId, start }: { workspaceId: number; setupId: number; start: string },
  companyIds: readonly number[],
): Promise<ReadonlyMap<string, CompanyDocument>> {
  if (companyIds.length === 0) return new Map();
  const keys = companyIds.map((companyId) => reachedCompanyKey(workspaceId, setupId, companyId));
  const found = await readModels.getMany(reachedCompanies, keys);
  const reached = [...found.values()].filter(({ lastDetectedAt }) => lastDetectedAt >= start);
  if (reached.length === 0) return new Map();
  return readModels.getMany(
    companies,
    reached.map(({ companyId }) => companyKey(companyId)),
  );
}
