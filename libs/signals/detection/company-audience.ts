import type { CompanyFacts } from '#network/network-directory.port.js';
import type { DetectorRun } from './detector.js';
import { marketMatcher } from './market-match.js';

/** The companies that a run may report. */
export type CompanyAudience = {
  /** Narrows the reads; null: any company. */
  readonly companyRefs: readonly string[] | null;
  readonly includes: (company: CompanyFacts) => boolean;
};

/** In a pass the covered accounts; otherwise the companies of the persona's market and the covered ones (D-19). */
export async function companyAudience({
  persona,
  watched,
}: Pick<DetectorRun<unknown>, 'persona' | 'watched'>): Promise<CompanyAudience> {
  const companyRefs = await watched.accounts();
  if (companyRefs !== null) {
    const refs = new Set(companyRefs);
    return { companyRefs, includes: ({ ref }) => refs.has(ref) };
  }
  const covered = await watched.covered();
  const isInMarket = persona === null ? () => false : marketMatcher(persona);
  return { companyRefs: null, includes: (company) => covered.has(company.ref) || isInMarket(company) };
}
