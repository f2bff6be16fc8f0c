import type { CompanyFacts } from '#network/network-directory.port.js';
import { isMade, madeCompanyRef } from '#network/resolution.js';

/**
 * The refs that earlier subjects about a company may contain, its present one first: a source may have made the company
 * for one of its domains before it was observed, and it is the same company (SRC-04).
 */
export const reportedRefsOf = ({
  ref,
  domains,
}: Pick<CompanyFacts, 'ref' | 'domains'>): readonly [string, ...string[]] =>
  isMade(ref) ? [ref] : [ref, ...domains.map(madeCompanyRef)];

/** The subject of a finding about a company, and those of the same finding under its former refs. */
export function companySubjects(
  company: Pick<CompanyFacts, 'ref' | 'domains'>,
  subjectOf: (ref: string) => string,
): { readonly subject: string; readonly formerSubjects?: readonly string[] } {
  const [ref, ...former] = reportedRefsOf(company);
  const subject = subjectOf(ref);
  return former.length === 0 ? { subject } : { subject, formerSubjects: former.map(subjectOf) };
}
