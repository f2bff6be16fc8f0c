import { inPieces } from '#kernel/values/pieces.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

type Host = Pick<ProcessHost, 'readModels' | 'directory'>;

const COMPANIES_AT_ONCE = 500;

/**
 * The companies of which nothing can be observed (MON-62): known only by a domain, never observed, and the network
 * finds no single company with that domain. `unknown`: the read model does not show them yet.
 */
export async function notObservable(
  { readModels, directory }: Host,
  companyIds: readonly number[],
): Promise<{ readonly notObservable: ReadonlySet<number>; readonly unknown: ReadonlySet<number> }> {
  const hidden = new Set<number>();
  const unknown = new Set<number>();
  for (const piece of inPieces([...new Set(companyIds)], COMPANIES_AT_ONCE)) {
    const known = await readModels.getMany(companies, piece.map(companyKey));
    for (const companyId of piece) if (!known.has(companyKey(companyId))) unknown.add(companyId);
    const stubs = [...known.values()].filter(isStubOfDomain);
    if (stubs.length === 0) continue;
    const resolutions = await directory.resolveCompanies(
      stubs.map(({ domain }) => ({ by: 'domain', domain: domain ?? '' })),
    );
    stubs.forEach(({ id }, index) => {
      if (resolutions[index]?.outcome !== 'found') hidden.add(id);
    });
  }
  return { notObservable: hidden, unknown };
}

/** The first observation of a company has a revision above 0. */
const isStubOfDomain = ({ networkHandle, rev }: CompanyDocument): boolean =>
  networkHandle === null && rev === 0;
