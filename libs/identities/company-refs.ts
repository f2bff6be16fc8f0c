import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

const COMPANIES_AT_ONCE = 500;

/** What the network calls these companies of a workspace now, by id; those that it does not know are left out. */
export async function companyRefs(
  { readModels, directory }: Pick<ProcessHost, 'readModels' | 'directory'>,
  companyIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const refs = new Map<number, string>();
  for (const piece of inPieces(companyIds, COMPANIES_AT_ONCE)) {
    const known = await readModels.getMany(companies, piece.map(companyKey));
    const asked = [...known.values()].flatMap((company) => {
      const identifier = identifierOf(company);
      return identifier === null ? [] : [{ id: company.id, identifier }];
    });
    const resolutions = await directory.resolveCompanies(asked.map(({ identifier }) => identifier));
    asked.forEach(({ id }, index) => {
      const resolution = resolutions[index];
      if (resolution?.outcome === 'found') refs.set(id, resolution.facts.ref);
    });
  }
  return refs;
}

/** The look-up of a company by its handle, else by its domain; null: it has neither. */
export function identifierOf({
  networkHandle,
  domain,
}: Pick<CompanyDocument, 'networkHandle' | 'domain'>): NetworkIdentifier | null {
  if (networkHandle !== null) return { by: 'handle', handle: networkHandle, entity: 'company' };
  return domain === null ? null : { by: 'domain', domain };
}
