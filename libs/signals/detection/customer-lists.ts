import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import {
  listedCompanies,
  listedCompanyKeys,
} from '#projections/lists/listed-companies/listed-companies.projection.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';

/** The refs of those companies that are on an active customer list of the workspace, followed or not. */
export async function onCustomerLists(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly CompanyFacts[],
): Promise<ReadonlySet<string>> {
  const keysOf = (company: CompanyFacts): readonly string[] => listedCompanyKeys(workspaceId, company);
  const listed = await readModels.getMany(listedCompanies, companies.flatMap(keysOf));
  /** Two handles are two companies, even with the same domain. */
  const listsOf = (company: CompanyFacts): readonly number[] =>
    keysOf(company)
      .flatMap((key) => listed.get(key)?.memberships ?? [])
      .filter(({ handle }) => company.handle === null || handle === null || handle === company.handle)
      .map(({ listId }) => listId);
  const known = await readModels.getMany(
    lists,
    [...new Set(companies.flatMap(listsOf))].map((listId) => listKey(workspaceId, listId)),
  );
  const isOfCustomers = (listId: number): boolean => {
    const list = known.get(listKey(workspaceId, listId));
    return list?.type === 'customer' && !list.deleted && !list.archived;
  };
  return new Set(companies.filter((company) => listsOf(company).some(isOfCustomers)).map(({ ref }) => ref));
}
