import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { CompanyFacts, NetworkDirectory } from '#network/network-directory.port.js';
import { reportedRefsOf } from '#network/resolution.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

const COMPANIES_AT_ONCE = 500;

/**
 * The refs of these companies of a workspace in the network now, by id; unknown companies are left out. A company that a
 * source made before it was observed has two: observations that were not read again since name the one that the source
 * made (SRC-04).
 */
export async function companyRefs(
  { readModels, directory }: Pick<ProcessHost, 'readModels' | 'directory'>,
  companyIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const refs = new Map<number, readonly string[]>();
  for (const piece of inPieces(companyIds, COMPANIES_AT_ONCE)) {
    const known = await readModels.getMany(companies, piece.map(companyKey));
    const asked = [...known.values()].flatMap((company) => {
      const identifier = identifierOf(company);
      return identifier === null ? [] : [{ id: company.id, identifier }];
    });
    const named = await directory.resolveCompanies(asked.map(({ identifier }) => identifier));
    const renamed = asked.flatMap(({ id }, index) => {
      const company = known.get(companyKey(id));
      return company !== undefined && named[index]?.outcome === 'unknown' ? renamedFrom(company) : [];
    });
    const resolutions = [
      ...named,
      ...(await directory.resolveCompanies(renamed.map(({ identifier }) => identifier))),
    ];
    const found = [...asked, ...renamed].flatMap(({ id }, index) => {
      const resolution = resolutions[index];
      return resolution?.outcome === 'found' ? [{ id, facts: resolution.facts }] : [];
    });
    const reported = await observedRefsOf(
      directory,
      found.map(({ facts }) => facts),
    );
    for (const { id, facts } of found) refs.set(id, reported.get(facts.ref) ?? [facts.ref]);
  }
  return refs;
}

/** By ref, the refs by which observations name these companies: its own, and those that sources made before (SRC-04). */
export async function observedRefsOf(
  directory: Pick<NetworkDirectory, 'companies'>,
  companiesNow: readonly Pick<CompanyFacts, 'ref' | 'domains'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const reported = companiesNow.map(reportedRefsOf);
  const made = await directory.companies([...new Set(reported.flatMap(([, ...former]) => former))]);
  return new Map(
    reported.map(([ref, ...former]) => [ref, [ref, ...former.filter((one) => made.has(one))]] as const),
  );
}

/**
 * The look-up of a company whose handle is no longer known, although the company was observed under it: it has another handle
 * now. A handle that was never observed may be that of another company with the same domain.
 */
const renamedFrom = ({ id, rev, networkHandle, domain }: CompanyDocument) =>
  rev > 0 && networkHandle !== null && domain !== null
    ? [{ id, identifier: { by: 'domain', domain } as const }]
    : [];

/** The look-up of a company by its handle, else by its domain; null: it has neither. */
export function identifierOf({
  networkHandle,
  domain,
}: Pick<CompanyDocument, 'networkHandle' | 'domain'>): NetworkIdentifier | null {
  if (networkHandle !== null) return { by: 'handle', handle: networkHandle, entity: 'company' };
  return domain === null ? null : { by: 'domain', domain };
}
