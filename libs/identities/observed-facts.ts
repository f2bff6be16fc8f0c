import { sha256Hex } from '#kernel/values/hash.js';
import { bounded, boundedUrl, TEXT_LENGTH } from '#kernel/values/bounded-text.js';
import type {
  CompanyResource,
  CompanyResourceLocation,
  ObservedCompany,
} from './domain/companies/company-facts.js';
import type { ContentAuthor } from './domain/contents/content-facts.js';
import type { LeadFacts as LeadResource, ObservedPerson } from './domain/leads/lead-facts.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';
import type { CompanyLocation as SeenLocation, Experience } from '#network/observation.js';
import { isMade } from '#network/resolution.js';

/** The network facts that are copied into a workspace, in the form of the resources. */

/**
 * The copied part of a profile is bounded, so that one match always fits into an append: the number of entries, newest
 * first, and the characters of their texts and of the texts about the profile.
 */
const MAX_ENTRIES = 30;
/** The number of hex digits of SHA-256 that represent a ref. */
const REF_HASH_LENGTH = 32;
const ENTRY_LENGTH = 200;
/** Of a company, that of its facts included. */
const MAX_DOMAINS = 25;

/** The identity stream of a company: its handle, or its domain while no handle is known. */
function companyIdentityOf(company: CompanyFacts): string {
  return company.handle === null ? `domain:${company.domains[0] ?? company.ref}` : `handle:${company.handle}`;
}

/** The identity stream of a person: the handle, or the ref without a handle (SRC-08). */
export const personIdentityOf = ({ handle, ref }: Pick<PersonFacts, 'handle' | 'ref'>): string =>
  handle === null ? `ref:${sha256Hex(ref).slice(0, REF_HASH_LENGTH)}` : `handle:${handle}`;

const joined = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(', ') || null;

function locationOf(seen: SeenLocation): CompanyResourceLocation {
  return {
    is_hq: seen.isHq,
    city: bounded(seen.city, ENTRY_LENGTH),
    region: bounded(seen.region, ENTRY_LENGTH),
    state: bounded(seen.state, ENTRY_LENGTH),
    country: bounded(seen.country, ENTRY_LENGTH),
    country_code: bounded(seen.countryCode, ENTRY_LENGTH),
    postal_code: bounded(seen.postalCode, ENTRY_LENGTH),
    line1: bounded(seen.line1, ENTRY_LENGTH),
    line2: bounded(seen.line2, ENTRY_LENGTH),
    formatted_address: bounded(seen.formattedAddress, ENTRY_LENGTH),
    latitude: seen.latitude,
    longitude: seen.longitude,
  };
}

function companyResourceOf(company: CompanyFacts): CompanyResource {
  const [first] = company.locations;
  const [domain = null] = company.domains;
  return {
    name: bounded(company.name),
    domain,
    url: domain === null ? null : `https://${domain}`,
    network_url: company.networkUrl,
    network_handle: company.handle,
    logo_url: boundedUrl(company.logoUrl),
    location: first === undefined ? null : bounded(joined(first.city, first.country)),
    locations: company.locations.slice(0, MAX_ENTRIES).map(locationOf),
    number_of_employees: company.employees,
    employee_range: bounded(company.employeeRange),
    founded_year: company.foundedYear,
    industries: bounded(company.industry),
    activity_summary: bounded(company.activitySummary, TEXT_LENGTH),
    tagline: bounded(company.tagline, TEXT_LENGTH),
  };
}

/** `companies`: the known employers of the experiences, by ref. */
function leadResourceOf(person: PersonFacts, companies: ReadonlyMap<string, CompanyFacts>): LeadResource {
  const { geo } = person;
  return {
    first_name: bounded(person.firstName),
    last_name: bounded(person.lastName),
    network_url: person.networkUrl,
    network_handle: person.handle,
    network_headline: bounded(person.headline),
    avatar_url: boundedUrl(person.avatarUrl),
    email: bounded(person.email),
    phone: bounded(person.phone),
    position: bounded(person.current?.title ?? null),
    location: geo === null ? null : bounded(joined(geo.city, geo.region, geo.country)),
    geo:
      geo === null
        ? null
        : {
            city: bounded(geo.city),
            region: bounded(geo.region),
            country: bounded(geo.country),
            country_code: bounded(geo.countryCode),
          },
    experiences:
      person.experiences === null
        ? null
        : mostRecentFirst(person.experiences).slice(0, MAX_ENTRIES).map(experienceOf(companies)),
  };
}

/** Open positions first, then by end, then by start; without dates in the listed order. */
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
      title: bounded(experience.title, ENTRY_LENGTH),
      company_name: bounded(experience.companyName ?? company?.name ?? null, ENTRY_LENGTH),
      company_network_url: company?.networkUrl ?? null,
      location: bounded(experience.location, ENTRY_LENGTH),
      start_date: bounded(experience.startDate, ENTRY_LENGTH),
      end_date: bounded(experience.endDate, ENTRY_LENGTH),
      is_current: experience.endDate === null,
    };
  };

export const profileAuthor = (person: PersonFacts): ContentAuthor => ({
  type: 'profile',
  ...authorOf(person),
});

/** The person behind a text, as detections show it. */
export const authorOf = (person: PersonFacts) => ({
  full_name: bounded(person.fullName),
  headline: bounded(person.headline),
  network_url: person.networkUrl,
});

/**
 * A company that a source made has revision 0, because revisions of two refs cannot be compared: an observed company,
 * whose revision is at least 1, replaces its facts, and is never replaced by it (SRC-04).
 */
export const observedCompanyOf = (company: CompanyFacts): ObservedCompany => ({
  identity: companyIdentityOf(company),
  rev: isMade(company.ref) ? 0 : company.rev,
  facts: companyResourceOf(company),
  ...(company.domains.length > 1 ? { otherDomains: company.domains.slice(1, MAX_DOMAINS) } : {}),
});

/** `companies`: the result of `employersOf`. */
export const observedPersonOf = (
  person: PersonFacts,
  companies: ReadonlyMap<string, CompanyFacts>,
): ObservedPerson => ({
  identity: personIdentityOf(person),
  rev: person.rev,
  facts: leadResourceOf(person, companies),
});

/** The place of a person, for the place filters of queries. */
export const placeOf = ({ geo }: PersonFacts) => ({
  country: bounded(geo?.country ?? null),
  city: bounded(geo?.city ?? null),
});

/** The known companies of these people's experiences, by ref. */
export async function employersOf(
  directory: NetworkDirectory,
  people: readonly (PersonFacts | null)[],
): Promise<ReadonlyMap<string, CompanyFacts>> {
  const refs = people.flatMap((person) => (person?.experiences ?? []).map(({ companyRef }) => companyRef));
  return directory.companies([...new Set(refs)].filter((ref) => ref !== null));
}

export const companyAuthor = (company: CompanyFacts): ContentAuthor => ({
  type: 'company',
  company_name: bounded(company.name),
  network_url: company.networkUrl,
});

/** A company of which nothing but an identifier is known; the first observation of it is newer. */
export const companyStub = (identifier: {
  readonly handle: string | null;
  readonly domain: string | null;
  /** The canonical form of the handle (OP-10). */
  readonly networkUrl: string | null;
}): ObservedCompany => ({
  identity: identifier.handle === null ? `domain:${identifier.domain ?? ''}` : `handle:${identifier.handle}`,
  rev: 0,
  facts: {
    name: null,
    domain: identifier.domain,
    url: null,
    network_url: identifier.networkUrl,
    network_handle: identifier.handle,
    logo_url: null,
    location: null,
    locations: [],
    number_of_employees: null,
    employee_range: null,
    founded_year: null,
    industries: null,
    activity_summary: null,
    tagline: null,
  },
});

/** A person of whom only the handle and its canonical address are known. */
export const personStub = (handle: string, networkUrl: string): ObservedPerson => ({
  identity: `handle:${handle}`,
  rev: 0,
  facts: {
    first_name: null,
    last_name: null,
    network_url: networkUrl,
    network_handle: handle,
    network_headline: null,
    avatar_url: null,
    email: null,
    phone: null,
    position: null,
    location: null,
    geo: null,
    experiences: null,
  },
});
