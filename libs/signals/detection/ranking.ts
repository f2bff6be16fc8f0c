import type { CompanyFacts } from '#network/network-directory.port.js';
import type { UnreadRun } from './detector.js';
import type { Finding } from './finding.js';
import { personaMatcher } from './persona-match.js';

/** Decides the priority and the price of findings (D-08, D-09, D-16). */
export type Ranking = {
  readonly isCovered: (company: CompanyFacts | null) => boolean;
  readonly priorityOf: (finding: Finding) => 1 | 2;
};

/** The ranking of a run. Built once per read, because the cost of building grows with the persona and the list. */
export async function ranking({ persona, watched }: UnreadRun): Promise<Ranking> {
  const covered = await watched.covered();
  const isCovered = (company: CompanyFacts | null): boolean => company !== null && covered.has(company.ref);
  if (persona === null) return { isCovered, priorityOf: () => 1 };
  const matches = personaMatcher(persona);
  const members = await watched.members();
  const [people, companies] = [new Set(members?.personRefs), new Set(members?.companyRefs)];
  /** Whether the lead is a followed member, or works, or for a departure worked, at a followed company. */
  const isOfListMember = ({ lead, company, data }: Finding): boolean =>
    people.has(lead?.ref ?? '') ||
    companies.has(lead?.current?.companyRef ?? '') ||
    (data['change'] === 'departure' && companies.has(company?.ref ?? ''));
  return {
    isCovered,
    priorityOf: (finding) =>
      finding.lead === null || isCovered(finding.company) || isOfListMember(finding) || matches(finding.lead)
        ? 1
        : 2,
  };
}
