import type { ReadModels } from '#kernel/read-store.port.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import {
  companyIdentityOf,
  listedCompanies,
  listsOfCompanies,
  type ListedCompanyDocument,
} from '#projections/listed-companies/listed-companies.projection.js';
import { lists, type ListDocument } from '#projections/lists/lists.projection.js';
import {
  reachedCompanies,
  reachedCompanyKey,
  type ReachedCompanyDocument,
} from '#projections/reached-companies/reached-companies.projection.js';

const KEY_LIST_TYPES: readonly string[] = ['customer', 'prospect'];
/** Handles and domains read in one go: a few milliseconds. */
const PAGE = 500;

/**
 * How many of the companies that a setup reached since `start` are on a customer or prospect list that is in use
 * now (OP-20, OP-48). Only those are looked at that the workspace both knows and has on a list, however many it
 * has of either.
 */
export async function countKeyAccounts(
  readModels: ReadModels,
  workspaceId: number,
  setupId: number,
  start: string,
): Promise<number> {
  const keyLists = await keyListsOf(readModels, workspaceId);
  if (keyLists.size === 0) return 0;
  const seen = new Set<number>();
  let count = 0;
  for (let after: readonly [string] | null = null; ;) {
    const page: readonly ListedCompanyDocument[] = await readModels.find<ListedCompanyDocument>(
      listedCompanies,
      {
        where: { workspaceId, isMet: true },
        sort: [['identity', 'asc']],
        ...(after === null ? {} : { after }),
        limit: PAGE,
      },
    );
    const candidates = page
      .filter(({ memberships }) => memberships.some(({ listId }) => keyLists.has(listId)))
      .flatMap(({ companyIds }) => companyIds);
    const unseen = [...new Set(candidates)].filter((companyId) => !seen.has(companyId));
    for (const companyId of unseen) seen.add(companyId);
    const reached = await reachedOf(readModels, { workspaceId, setupId, start }, unseen);
    const listed = await listsOf(readModels, workspaceId, reached);
    count += listed.filter((listIds) => listIds.some((listId) => keyLists.has(listId))).length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return count;
    after = [last.identity];
  }
}

async function keyListsOf(readModels: ReadModels, workspaceId: number): Promise<ReadonlySet<number>> {
  const inUse = await readModels.find<ListDocument>(lists, {
    where: { workspaceId, deleted: false, archived: false },
    sort: [['id', 'asc']],
  });
  return new Set(
    inUse
      .filter(({ type, member_count }) => KEY_LIST_TYPES.includes(type) && member_count > 0)
      .map(({ id }) => id),
  );
}

/** Which of these companies the setup reached. */
async function reachedOf(
  readModels: ReadModels,
  { workspaceId, setupId, start }: { workspaceId: number; setupId: number; start: string },
  companyIds: readonly number[],
): Promise<readonly number[]> {
  if (companyIds.length === 0) return [];
  const keys = companyIds.map((companyId) => reachedCompanyKey(workspaceId, setupId, companyId));
  const reached = await readModels.getMany<ReachedCompanyDocument>(reachedCompanies, keys);
  return [...reached.values()]
    .filter(({ lastDetectedAt }) => lastDetectedAt >= start)
    .map(({ companyId }) => companyId);
}

/** The lists that each of these companies is on, by how it is known now. */
async function listsOf(
  readModels: ReadModels,
  workspaceId: number,
  companyIds: readonly number[],
): Promise<readonly (readonly number[])[]> {
  if (companyIds.length === 0) return [];
  const known = await readModels.getMany<CompanyDocument>(companies, companyIds.map(companyKey));
  return listsOfCompanies(readModels, workspaceId, [...known.values()].map(companyIdentityOf));
}
