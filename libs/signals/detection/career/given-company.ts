import { parseDomain } from '#kernel/values/network-identifiers.js';
import { fold } from '#kernel/values/text-folding.js';
import type { BaselineCompany } from '#lists/domain/lists/member.events.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { Experience } from '#network/observation.js';
import { isKnown, nameGiven } from '#network/work-positions.js';

/**
 * The company given with a champion; null if nothing was given. Earlier syncs of a CRM stored blank texts and domains as
 * they were sent.
 */
export function givenCompanyOf(stored: BaselineCompany | null): BaselineCompany | null {
  if (stored === null) return null;
  const name = isKnown(stored.name) ? stored.name : null;
  const domain = parseDomain(stored.domain ?? '')?.domain ?? null;
  return name === null && domain === null ? null : { name, domain };
}

/**
 * Whether a position is at the company given with a champion (D-51): equal domain or equal name is enough. It is
 * elsewhere if every given member is known to differ; otherwise unknown: null.
 */
export function isAtGiven(
  { domain, name }: BaselineCompany,
  position: Experience,
  employer: CompanyFacts | null,
): boolean | null {
  const known = [
    ...(domain === null ? [] : [hasDomain(domain, employer)]),
    ...(name === null ? [] : [isNamed(name, nameGiven(position) ?? employer?.name ?? null)]),
  ];
  if (known.includes(true)) return true;
  return known.includes(null) ? null : false;
}

function hasDomain(domain: string, employer: CompanyFacts | null): boolean | null {
  if (employer === null || employer.domains.length === 0) return null;
  return employer.domains.includes(domain);
}

function isNamed(name: string, employerName: string | null): boolean | null {
  return isKnown(employerName) ? fold(employerName) === fold(name) : null;
}

/** The last position at the given company that has ended; null if none is known. */
export function endedThere(
  given: BaselineCompany,
  experiences: readonly Experience[],
  employerOf: (position: Experience) => CompanyFacts | null,
): Experience | null {
  const ended = experiences.filter(
    (position) => position.endDate !== null && isAtGiven(given, position, employerOf(position)) === true,
  );
  const dates = ({ endDate, startDate }: Experience): string => `${endDate ?? ''}|${startDate ?? ''}`;
  return ended.reduce<Experience | null>(
    (last, position) => (last === null || dates(position) > dates(last) ? position : last),
    null,
  );
}
