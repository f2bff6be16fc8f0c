import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { canCarryTier } from '#lists/domain/lists/list.js';
import { TOP_ACCOUNT_TIERS, type TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { CompanyDocument } from '#projections/identities/companies/companies.projection.js';
import {
  listedCompanies,
  listedCompanyKeys,
  listsOf,
} from '#projections/lists/listed-companies/listed-companies.projection.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';

/**
 * The tier of companies by the customer and prospect lists in use that they are on, by company: of several the
 * highest, which is Tier 1 (OP-63). Companies on no list with a tier are left out.
 */
export async function effectiveTiers(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly CompanyDocument[],
): Promise<ReadonlyMap<number, TopAccountTier>> {
  const keysOf = ({ networkHandle, domain }: CompanyDocument): readonly string[] =>
    listedCompanyKeys(workspaceId, { handle: networkHandle, domains: domain === null ? [] : [domain] });
  const keys = companies.flatMap(keysOf);
  const listed = await readModels.getMany(listedCompanies, [...new Set(keys)]);
  const listsOfCompany = companies.map((company) => ({
    company,
    listIds: keysOf(company).flatMap((key) => {
      const known = listed.get(key);
      return known === undefined ? [] : [...listsOf(known, company)];
    }),
  }));
  const listIds = new Set(listsOfCompany.flatMap((each) => each.listIds));
  const found = await readModels.getMany(
    lists,
    [...listIds].map((listId) => listKey(workspaceId, listId)),
  );
  const tierOf = (listId: number): number => {
    const list = found.get(listKey(workspaceId, listId));
    const counts = list !== undefined && !list.deleted && !list.archived && canCarryTier(list.type);
    return (counts ? list.tier : null) ?? Number.POSITIVE_INFINITY;
  };
  return new Map(
    listsOfCompany.flatMap(({ company, listIds: ofCompany }) => {
      const tier = TOP_ACCOUNT_TIERS[Math.min(...ofCompany.map(tierOf)) - 1];
      return tier === undefined ? [] : [[company.id, tier] as const];
    }),
  );
}
