import type { CompanyFacts } from '#network/network-directory.port.js';
import { reportedRefsOf } from '#network/resolution.js';

/** The subject of a finding about a company, and those of the same finding under its former refs. */
export function companySubjects(
  company: Pick<CompanyFacts, 'ref' | 'domains'>,
  subjectOf: (ref: string) => string,
): { readonly subject: string; readonly formerSubjects?: readonly string[] } {
  const [ref, ...former] = reportedRefsOf(company);
  const subject = subjectOf(ref);
  return former.length === 0 ? { subject } : { subject, formerSubjects: former.map(subjectOf) };
}
