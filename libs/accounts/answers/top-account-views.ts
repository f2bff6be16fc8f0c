import type { Filter, ReadModels } from '#kernel/ports/read-store.port.js';
import type { Static } from '#kernel/values/schema.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';
import type { TopAccountDocument } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { observedAts, type LastReads } from '#identities/observed-at.js';
import { effectiveTiers } from '#accounts/answers/effective-tiers.js';
import type { TopAccountView } from '#accounts/answers/top-account.view.js';

export type TopAccountAnswer = Static<typeof TopAccountView>;

/** The accounts of a persona and those without a persona; null: all. */
export const accountsOf = (workspaceId: number, personaId: number | null): Filter => ({
  where: { workspaceId, ...(personaId === null ? {} : { personaId: { in: [null, personaId] } }) },
});

/** Whether the workspace has or had this persona. */
export async function knowsPersona(
  readModels: ReadModels,
  workspaceId: number,
  personaId: number,
): Promise<boolean> {
  const known = await readModels.get(personas, personaKey(workspaceId, personaId));
  return known !== null;
}

/** Accounts as v2 answers them, in the same order. */
export async function topAccountViews(
  readModels: ReadModels,
  directory: LastReads,
  workspaceId: number,
  accounts: readonly TopAccountDocument[],
): Promise<readonly TopAccountAnswer[]> {
  const keys = accounts.map(({ companyId }) => companyKey(companyId));
  const known = await readModels.getMany(companies, keys);
  const untiered = accounts.filter(({ tier }) => tier === null).map(({ companyId }) => companyId);
  const tiers = await effectiveTiers(
    readModels,
    workspaceId,
    untiered.flatMap((companyId) => known.get(companyKey(companyId)) ?? []),
  );
  const reads = await observedAts(
    directory,
    accounts.map(({ companyRef, companyId }) => ({
      ref: companyRef,
      domain: known.get(companyKey(companyId))?.domain ?? null,
    })),
  );
  return accounts.map(({ id, companyId, tier, importedAt }, index) => {
    const facts = known.get(companyKey(companyId))?.facts;
    return {
      id,
      company_id: companyId,
      company: {
        name: facts?.name ?? null,
        domain: facts?.domain ?? null,
        network_url: facts?.network_url ?? null,
        network_handle: facts?.network_handle ?? null,
        logo_url: facts?.logo_url ?? null,
        status: 'found',
      },
      tier: tier ?? tiers.get(companyId) ?? null,
      imported_at: importedAt,
      observed_at: reads[index] ?? null,
    };
  });
}
