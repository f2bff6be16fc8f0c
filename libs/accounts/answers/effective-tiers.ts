import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { canCarryTier } from '#lists/domain/lists/list.js';
import { listsInUse, type ListInUse } from '#lists/lists-in-use.js';
import { TOP_ACCOUNT_TIERS, type TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { CompanyDocument } from '#projections/identities/companies/companies.projection.js';

/**
 * The tier of companies, by company, from the active customer and prospect lists that they are on; with several, the
 * highest, which is Tier 1 (OP-63). Companies on no list with a tier are left out.
 */
export async function effectiveTiers(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly CompanyDocument[],
): Promise<ReadonlyMap<number, TopAccountTier>> {
  const inUse = await listsInUse(readModels, workspaceId, companies);
  const tierOf = ({ type, tier }: ListInUse): number =>
    (canCarryTier(type) ? tier : null) ?? Number.POSITIVE_INFINITY;
  return new Map(
    companies.flatMap((company, index) => {
      const tier = TOP_ACCOUNT_TIERS[Math.min(...(inUse[index] ?? []).map(tierOf)) - 1];
      return tier === undefined ? [] : [[company.id, tier] as const];
    }),
  );
}
