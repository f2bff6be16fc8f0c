import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  listedCompanies,
  listedCompanyKeys,
  listsOf,
} from '#projections/lists/listed-companies/listed-companies.projection.js';
import { listKey, lists, type ListDocument } from '#projections/lists/lists/lists.projection.js';

/** A list that is neither deleted nor archived. */
export type ListInUse = Pick<ListDocument, 'id' | 'type' | 'tier' | 'persona_ids'>;

/** The names under which a list can have a company. */
export type ListedCompany = { readonly networkHandle: string | null; readonly domains: readonly string[] };

/**
 * The lists in use (neither deleted nor archived) that each of these companies is on, in the order of `companies`. A
 * company on no list has none.
 */
export async function listsInUse(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly ListedCompany[],
): Promise<readonly (readonly ListInUse[])[]> {
  const keysOf = ({ networkHandle, domains }: ListedCompany): readonly string[] =>
    listedCompanyKeys(workspaceId, { handle: networkHandle, domains });
  const listed = await readModels.getMany(listedCompanies, [...new Set(companies.flatMap(keysOf))]);
  const listIdsOf = companies.map((company) =>
    keysOf(company).flatMap((key) => {
      const known = listed.get(key);
      return known === undefined ? [] : [...listsOf(known, company)];
    }),
  );
  const found = await readModels.getMany(
    lists,
    [...new Set(listIdsOf.flat())].map((listId) => listKey(workspaceId, listId)),
  );
  return listIdsOf.map((listIds) =>
    [...new Set(listIds)].flatMap((listId) => {
      const list = found.get(listKey(workspaceId, listId));
      return list === undefined || list.deleted || list.archived ? [] : [list];
    }),
  );
}
