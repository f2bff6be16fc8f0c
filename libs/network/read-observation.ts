import type { JsonObject } from '#kernel/values/json.js';
import {
  parseDomain,
  parseHandle,
  parseNetworkUrl,
  type NetworkEntity,
} from '#kernel/values/network-identifiers.js';
import { fieldsOf, type Fields } from './observation-fields.js';
import type { CompanyLocation, Experience, Geo, Observation, ObservationKind } from './observation.js';

export { MalformedObservation } from './observation-fields.js';

export type ReadObservation = {
  readonly observation: Observation;
  /** What was changed on the way in: texts that were cut, addresses that were left out. */
  readonly notes: readonly string[];
};

type Sighting = { readonly ref: string; readonly rev: number };

/**
 * Reads one parsed line of an ingest (OPS-10, OP-71): required are kind and ref, a handle for a person,
 * a handle or a domain for a company, a domain for an alias, one of domain, handle and network_url for a
 * missing. Members that no kind knows are ignored. Throws `MalformedObservation` naming the field.
 */
export function readObservation(line: unknown): ReadObservation {
  const notes: string[] = [];
  const fields = fieldsOf(line, '', (note) => notes.push(note));
  const kind = kindOf(fields);
  const sighting = { ref: required(fields, 'ref', fields.ref('ref')), rev: fields.count('rev', 1) ?? 1 };
  return { observation: READERS[kind](fields, sighting), notes };
}

const READERS: {
  readonly [Kind in ObservationKind]: (
    fields: Fields,
    sighting: Sighting,
  ) => Extract<Observation, { kind: Kind }>;
} = {
  company: (fields, sighting) => {
    const handle = handleOf(fields, 'handle');
    const domains = domainsOf(fields);
    if (handle === null && domains.length === 0) return fields.fail('handle', 'or domains is required');
    const locations = (fields.objects('locations') ?? []).map(locationOf);
    return {
      kind: 'company',
      ...sighting,
      handle,
      domains,
      name: fields.text('name'),
      industry: fields.text('industry'),
      employees: fields.count('employees'),
      employeeRange: fields.text('employee_range'),
      foundedYear: fields.count('founded_year'),
      tagline: fields.text('tagline'),
      activitySummary: fields.text('activity_summary'),
      logoUrl: fields.address('logo_url'),
      locations: [...locations.filter(({ isHq }) => isHq), ...locations.filter(({ isHq }) => !isHq)],
    };
  },
  person: (fields, sighting) => ({
    kind: 'person',
    ...sighting,
    handle: required(fields, 'handle', handleOf(fields, 'handle')),
    firstName: fields.text('first_name'),
    lastName: fields.text('last_name'),
    headline: fields.text('headline'),
    about: fields.text('about'),
    avatarUrl: fields.address('avatar_url'),
    email: fields.text('email'),
    phone: fields.text('phone'),
    geo: geoOf(fields.object('geo')),
    experiences: fields.objects('experiences')?.map(experienceOf) ?? null,
    observedAt: fields.timestamp('observed_at'),
  }),
  post: (fields, sighting) => ({
    kind: 'post',
    ...sighting,
    authorRef: fields.ref('author_ref'),
    url: fields.address('url'),
    text: fields.text('text'),
    publishedAt: fields.timestamp('published_at'),
  }),
  comment: (fields, sighting) => ({
    kind: 'comment',
    ...sighting,
    postRef: fields.ref('post_ref'),
    authorRef: fields.ref('author_ref'),
    url: fields.address('url'),
    text: fields.text('text'),
    publishedAt: fields.timestamp('published_at'),
  }),
  reaction: (fields, sighting) => ({
    kind: 'reaction',
    ...sighting,
    postRef: fields.ref('post_ref'),
    authorRef: fields.ref('author_ref'),
    reaction: fields.text('reaction'),
    reactedAt: fields.timestamp('reacted_at'),
  }),
  job_posting: (fields, sighting) => ({
    kind: 'job_posting',
    ...sighting,
    companyRef: fields.ref('company_ref'),
    title: fields.text('title'),
    description: fields.text('description'),
    location: fields.text('location'),
    url: fields.address('url'),
    hiringManagerRef: fields.ref('hiring_manager_ref'),
    postedAt: fields.timestamp('posted_at'),
  }),
  headcount: (fields, sighting) => ({
    kind: 'headcount',
    ...sighting,
    companyRef: fields.ref('company_ref'),
    department: fields.text('department'),
    employees: fields.count('employees'),
    observedAt: fields.timestamp('observed_at'),
  }),
  company_event: (fields, sighting) => ({
    kind: 'company_event',
    ...sighting,
    companyRef: fields.ref('company_ref'),
    event: fields.text('event'),
    fields: withAddress(fields, fields.json('fields') ?? {}),
    occurredAt: fields.timestamp('occurred_at'),
  }),
  missing: (fields, sighting) => {
    const domain = domainOf(fields, 'domain');
    const page = pageOf(fields);
    const handle = page?.handle ?? handleOf(fields, 'handle');
    if (domain === null && handle === null)
      return fields.fail('domain', 'or handle or network_url is required');
    return { kind: 'missing', ...sighting, domain, handle, entity: page?.entity ?? null };
  },
  alias: (fields, sighting) => ({
    kind: 'alias',
    ...sighting,
    domain: required(fields, 'domain', domainOf(fields, 'domain')),
    companyRefs: [...new Set(fields.refs('company_refs'))],
  }),
};

function kindOf(fields: Fields): ObservationKind {
  const kind = fields.text('kind');
  return isKind(kind) ? kind : fields.fail('kind', `must be one of ${Object.keys(READERS).join(', ')}`);
}

function isKind(kind: string | null): kind is ObservationKind {
  return kind !== null && Object.hasOwn(READERS, kind);
}

function required<Value>(fields: Fields, name: string, value: Value | null): Value {
  return value ?? fields.fail(name, 'is required');
}

/** An empty handle counts as not given. */
function handleOf(fields: Fields, name: string): string | null {
  const text = fields.text(name);
  if (text === null || text === '') return null;
  return parseHandle(text)?.handle ?? fields.fail(name, 'must be a handle without spaces');
}

function pageOf(fields: Fields): { readonly handle: string; readonly entity: NetworkEntity | null } | null {
  const text = fields.text('network_url');
  if (text === null || text === '') return null;
  return parseNetworkUrl(text) ?? fields.fail('network_url', 'must be the URL of a person or company');
}

/** What is told of an event is told as it was seen, save an address that is none. */
function withAddress(fields: Fields, told: JsonObject): JsonObject {
  return typeof told['url'] === 'string'
    ? { ...told, url: fields.object('fields')?.address('url') ?? null }
    : told;
}

function domainOf(fields: Fields, name: string): string | null {
  const text = fields.text(name);
  if (text === null || text === '') return null;
  return parseDomain(text)?.domain ?? fields.fail(name, 'must be a domain');
}

function domainsOf(fields: Fields): readonly string[] {
  const domains = fields
    .texts('domains')
    .map((text, index) => parseDomain(text)?.domain ?? fields.fail(`domains.${index}`, 'must be a domain'));
  return [...new Set(domains)];
}

function geoOf(fields: Fields | null): Geo | null {
  if (fields === null) return null;
  return {
    city: fields.text('city'),
    region: fields.text('region'),
    country: fields.text('country'),
    countryCode: fields.text('country_code')?.toUpperCase() ?? null,
  };
}

function experienceOf(fields: Fields): Experience {
  return {
    title: fields.text('title'),
    companyRef: fields.ref('company_ref'),
    companyName: fields.text('company_name'),
    startDate: fields.partialDate('start_date'),
    endDate: fields.partialDate('end_date'),
    department: fields.text('department'),
    seniority: fields.text('seniority'),
    location: fields.text('location'),
  };
}

function locationOf(fields: Fields): CompanyLocation {
  return {
    isHq: fields.flag('is_hq') ?? false,
    city: fields.text('city'),
    region: fields.text('region'),
    state: fields.text('state'),
    country: fields.text('country'),
    countryCode: fields.text('country_code')?.toUpperCase() ?? null,
    postalCode: fields.text('postal_code'),
    line1: fields.text('line1'),
    line2: fields.text('line2'),
    formattedAddress: fields.text('formatted_address'),
    latitude: fields.number('latitude'),
    longitude: fields.number('longitude'),
  };
}
