import { Buffer } from 'node:buffer';
import type { CompanyFacts as CompanyResource, CompanyLocation } from '#domain/companies/company-facts.js';
import type { ContentAuthor } from '#domain/contents/content-facts.js';
import type { LeadFacts as LeadResource } from '#domain/leads/lead-facts.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { CompanyLocation as SeenLocation, Experience } from '#network/observation.js';

/** What of the network is copied into a workspace, in the form in which the resources show it. */

/** Names a company's identity stream: its handle, or its domain while nobody knows a handle of it. */
export function companyIdentityOf(company: CompanyFacts): string {
  return company.handle === null ? `domain:${company.domains[0] ?? company.ref}` : `handle:${company.handle}`;
}

export const personIdentityOf = (person: PersonFacts): string => `handle:${person.handle}`;

const joined = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(', ') || null;

function locationOf(seen: SeenLocation): CompanyLocation {
  return {
    is_hq: seen.isHq,
    city: seen.city,
    region: seen.region,
    state: seen.state,
    country: seen.country,
    country_code: seen.countryCode,
    postal_code: seen.postalCode,
    line1: seen.line1,
    line2: seen.line2,
    formatted_address: seen.formattedAddress,
    latitude: seen.latitude,
    longitude: seen.longitude,
  };
}

export function companyResourceOf(company: CompanyFacts): CompanyResource {
  const [first] = company.locations;
  const [domain = null] = company.domains;
  return {
    name: company.name,
    domain,
    url: domain === null ? null : `https://${domain}`,
    network_url: company.networkUrl,
    network_handle: company.handle,
    logo_url: company.logoUrl,
    location: first === undefined ? null : joined(first.city, first.country),
    locations: company.locations.map(locationOf),
    number_of_employees: company.employees,
    employee_range: company.employeeRange,
    founded_year: company.foundedYear,
    industries: company.industry,
    activity_summary: company.activitySummary,
    tagline: company.tagline,
  };
}

/** `companies`: what is known of the employers that the experiences name, by ref. */
export function leadResourceOf(
  person: PersonFacts,
  companies: ReadonlyMap<string, CompanyFacts>,
): LeadResource {
  const { geo } = person;
  return {
    first_name: person.firstName,
    last_name: person.lastName,
    network_url: person.networkUrl,
    network_handle: person.handle,
    network_headline: person.headline,
    avatar_url: person.avatarUrl,
    email: person.email,
    phone: person.phone,
    position: person.current?.title ?? null,
    location: geo === null ? null : joined(geo.city, geo.region, geo.country),
    geo:
      geo === null
        ? null
        : { city: geo.city, region: geo.region, country: geo.country, country_code: geo.countryCode },
    experiences:
      person.experiences === null ? null : mostRecentFirst(person.experiences).map(experienceOf(companies)),
  };
}

/** Open ones first, then by end, then by start; as listed where the dates say nothing. */
function mostRecentFirst(experiences: readonly Experience[]): readonly Experience[] {
  const rank = ({ startDate, endDate }: Experience): string => `${endDate ?? '9999'}|${startDate ?? ''}`;
  return experiences.toSorted((left, right) =>
    rank(left) < rank(right) ? 1 : rank(left) > rank(right) ? -1 : 0,
  );
}

const experienceOf =
  (companies: ReadonlyMap<string, CompanyFacts>) =>
  (experience: Experience): NonNullable<LeadResource['experiences']>[number] => {
    const company = experience.companyRef === null ? undefined : companies.get(experience.companyRef);
    return {
      title: experience.title,
      company_name: experience.companyName ?? company?.name ?? null,
      company_network_url: company?.networkUrl ?? null,
      location: experience.location,
      start_date: experience.startDate,
      end_date: experience.endDate,
      is_current: experience.endDate === null,
    };
  };

export const profileAuthor = (person: PersonFacts): ContentAuthor => ({
  type: 'profile',
  full_name: person.fullName,
  headline: person.headline,
  network_url: person.networkUrl,
});

export const companyAuthor = (company: CompanyFacts): ContentAuthor => ({
  type: 'company',
  company_name: company.name,
  network_url: company.networkUrl,
});

/** Bytes of a value as JSON, to bound what goes into one append. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
