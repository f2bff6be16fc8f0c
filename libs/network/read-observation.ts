import type { JsonObject } from '#kernel/values/json.js';
import { parseDomain, parseHandle, parseNetworkUrl } from '#kernel/values/network-identifiers.js';
import { checkLine, type ObservationLine } from './line-faults.js';
import type { LineKind } from './observation-lines.js';
import type {
  CompanyLocation,
  Experience,
  Geo,
  JobPostingObservation,
  Observation,
  Salary,
} from './observation.js';
import { AUTOMATIC, instantOf } from './observed-values.js';
import type { Sighting } from './sighting.js';

/** All faults of a refused observation, each with its field. */
export class MalformedObservation extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'MalformedObservation';
  }
}

export type ReadObservation = Sighting & {
  /** The changes: texts that were cut, addresses that were left out. */
  readonly notes: readonly string[];
};

/**
 * Reads one parsed line (OPS-10, OP-71), as `observationLines` defines it. Unknown members are ignored. An automatic
 * revision is `requestedAtMs` (SRC-01). Throws `MalformedObservation` with the fields.
 */
export function readObservation(line: unknown, requestedAtMs = Date.now()): ReadObservation {
  const checked = checkLine(line);
  if ('faults' in checked) throw new MalformedObservation(checked.faults);
  const notes: string[] = [];
  const values = valuesOf((note) => notes.push(note));
  const { line: seen } = checked;
  const isAutomatic = seen.rev === AUTOMATIC;
  const dated = isAutomatic ? { ...seen, rev: requestedAtMs } : seen;
  return {
    observation: observationOf(dated, values),
    isAutomatic,
    closedAtMs: closedAtMs(seen),
    source: null,
    notes,
  };
}

function closedAtMs(line: ObservationLine): number | null {
  const closedAt = line.kind === 'job_posting' ? instant(line.closed_at) : null;
  return closedAt === null ? null : Date.parse(closedAt);
}

type LineOf<Kind extends LineKind> = Extract<ObservationLine, { readonly kind: Kind }>;
type Given<Value> = Value | null | undefined;

/** Texts above this many bytes of UTF-8 are cut. */
const MAX_TEXT_BYTES = 64 * 1024;
const HTTP = /^https?:\/\//i;

/** Converts values of a line for the store; changes are noted with their path. */
type Values = {
  readonly text: (path: string, given: Given<string>) => string | null;
  /** An http or https address: any other address would become an unsafe link on a page. */
  readonly address: (path: string, given: Given<string>) => string | null;
};

function valuesOf(note: (message: string) => void): Values {
  return {
    text: (path, given) => {
      if (given === null || given === undefined) return null;
      const cut = cutText(given);
      if (cut !== given) note(`${path} was cut to ${MAX_TEXT_BYTES} bytes`);
      return cut;
    },
    address: (path, given) => {
      if (given === null || given === undefined || given === '') return null;
      if (Buffer.byteLength(given) <= MAX_TEXT_BYTES && HTTP.test(given) && URL.canParse(given)) return given;
      note(`${path} is not an http or https address and was left out`);
      return null;
    },
  };
}

function observationOf(line: ObservationLine, values: Values): Observation {
  switch (line.kind) {
    case 'company':
      return companyOf(line, values);
    case 'person':
      return personOf(line, values);
    case 'post':
    case 'comment':
    case 'reaction':
      return contentOf(line, values);
    case 'job_posting':
      return postingOf(line, values);
    case 'headcount':
      return {
        kind: line.kind,
        ...sightingOf(line),
        companyRef: line.company_ref ?? null,
        department: values.text('department', line.department),
        employees: line.employees ?? null,
        observedAt: instant(line.observed_at),
      };
    case 'company_event':
      return {
        kind: line.kind,
        ...sightingOf(line),
        companyRef: line.company_ref ?? null,
        event: values.text('event', line.event),
        fields: withAddress(line.fields ?? {}, values),
        occurredAt: instant(line.occurred_at),
      };
    case 'missing': {
      const page = parseNetworkUrl(line.network_url ?? '');
      return {
        kind: line.kind,
        ...sightingOf(line),
        domain: domain(line.domain),
        handle: page?.handle ?? handle(line.handle),
        entity: page?.entity ?? null,
      };
    }
    case 'alias':
      return {
        kind: line.kind,
        ...sightingOf(line),
        domain: proven(domain(line.domain)),
        companyRefs: [...new Set(line.company_refs ?? [])],
      };
  }
}

const sightingOf = ({ ref, rev }: Pick<ObservationLine, 'ref' | 'rev'>) => ({
  ref,
  rev: typeof rev === 'number' ? rev : 1,
});
/** A value whose presence the check of the line has proven. */
function proven<Value>(value: Value | null): Value {
  if (value === null) throw new Error('an observation was checked by other rules than it is read by');
  return value;
}
const handle = (given: Given<string>): string | null => parseHandle(given ?? '')?.handle ?? null;
const domain = (given: Given<string>): string | null => parseDomain(given ?? '')?.domain ?? null;
const instant = (given: Given<string>): string | null => instantOf(given ?? '');

function companyOf(line: LineOf<'company'>, values: Values): Observation {
  const locations = (line.locations ?? []).map((location, index) =>
    locationOf(location, `locations.${index}`, values),
  );
  return {
    kind: 'company',
    ...sightingOf(line),
    handle: handle(line.handle),
    domains: [...new Set((line.domains ?? []).flatMap((given) => domain(given) ?? []))],
    name: values.text('name', line.name),
    industry: values.text('industry', line.industry),
    employees: line.employees ?? null,
    employeeRange: values.text('employee_range', line.employee_range),
    foundedYear: line.founded_year ?? null,
    tagline: values.text('tagline', line.tagline),
    activitySummary: values.text('activity_summary', line.activity_summary),
    logoUrl: values.address('logo_url', line.logo_url),
    locations: [...locations.filter(({ isHq }) => isHq), ...locations.filter(({ isHq }) => !isHq)],
  };
}

function personOf(line: LineOf<'person'>, values: Values): Observation {
  return {
    kind: 'person',
    ...sightingOf(line),
    handle: handle(line.handle),
    firstName: values.text('first_name', line.first_name),
    lastName: values.text('last_name', line.last_name),
    headline: values.text('headline', line.headline),
    about: values.text('about', line.about),
    avatarUrl: values.address('avatar_url', line.avatar_url),
    email: values.text('email', line.email),
    phone: values.text('phone', line.phone),
    geo: line.geo === null || line.geo === undefined ? null : placeOf(line.geo, 'geo', values),
    experiences:
      line.experiences?.map((experience, index) =>
        experienceOf(experience, `experiences.${index}`, values),
      ) ?? null,
    observedAt: instant(line.observed_at),
  };
}

function postingOf(line: LineOf<'job_posting'>, values: Values): JobPostingObservation {
  const department = values.text('department', line.department);
  const salary = salaryOf(line.salary, values);
  return {
    kind: line.kind,
    ...sightingOf(line),
    companyRef: line.company_ref ?? null,
    title: values.text('title', line.title),
    description: values.text('description', line.description),
    location: values.text('location', line.location),
    url: values.address('url', line.url),
    hiringManagerRef: line.hiring_manager_ref ?? null,
    postedAt: instant(line.posted_at),
    ...(department !== null && { department }),
    ...(typeof line.workplace === 'string' && { workplace: line.workplace }),
    ...(salary !== null && { salary }),
  };
}

function salaryOf(given: LineOf<'job_posting'>['salary'], values: Values): Salary | null {
  if (given === null || given === undefined) return null;
  const { min = null, max = null, interval = null } = given;
  const currency = values.text('salary.currency', given.currency)?.toUpperCase() ?? null;
  return { currency, min, max, interval };
}

function contentOf(line: LineOf<'post' | 'comment' | 'reaction'>, values: Values): Observation {
  const of = { ...sightingOf(line), authorRef: line.author_ref ?? null };
  if (line.kind === 'reaction') {
    const reaction = values.text('reaction', line.reaction);
    return {
      kind: line.kind,
      ...of,
      postRef: line.post_ref ?? null,
      reaction,
      reactedAt: instant(line.reacted_at),
    };
  }
  const written = {
    ...of,
    url: values.address('url', line.url),
    text: values.text('text', line.text),
    publishedAt: instant(line.published_at),
  };
  return line.kind === 'post'
    ? { kind: line.kind, ...written }
    : { kind: line.kind, ...written, postRef: line.post_ref ?? null };
}

/** Event fields are kept as observed, except for an invalid address. */
function withAddress(eventFields: JsonObject, values: Values): JsonObject {
  const { url } = eventFields;
  return typeof url === 'string' ? { ...eventFields, url: values.address('fields.url', url) } : eventFields;
}

function placeOf(given: NonNullable<LineOf<'person'>['geo']>, path: string, values: Values): Geo {
  return {
    city: values.text(`${path}.city`, given.city),
    region: values.text(`${path}.region`, given.region),
    country: values.text(`${path}.country`, given.country),
    countryCode: values.text(`${path}.country_code`, given.country_code)?.toUpperCase() ?? null,
  };
}

type GivenLocation = NonNullable<LineOf<'company'>['locations']>[number];
function locationOf(given: GivenLocation, path: string, values: Values): CompanyLocation {
  return {
    isHq: given.is_hq ?? false,
    ...placeOf(given, path, values),
    state: values.text(`${path}.state`, given.state),
    postalCode: values.text(`${path}.postal_code`, given.postal_code),
    line1: values.text(`${path}.line1`, given.line1),
    line2: values.text(`${path}.line2`, given.line2),
    formattedAddress: values.text(`${path}.formatted_address`, given.formatted_address),
    latitude: given.latitude ?? null,
    longitude: given.longitude ?? null,
  };
}

type GivenExperience = NonNullable<LineOf<'person'>['experiences']>[number];
function experienceOf(given: GivenExperience, path: string, values: Values): Experience {
  return {
    title: values.text(`${path}.title`, given.title),
    companyRef: given.company_ref ?? null,
    companyName: values.text(`${path}.company_name`, given.company_name),
    startDate: given.start_date ?? null,
    endDate: given.end_date ?? null,
    department: values.text(`${path}.department`, given.department),
    seniority: values.text(`${path}.seniority`, given.seniority),
    location: values.text(`${path}.location`, given.location),
  };
}

/** The longest prefix of whole characters within the limit. */
function cutText(text: string): string {
  if (text.length * 3 <= MAX_TEXT_BYTES) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TEXT_BYTES) return text;
  let end = MAX_TEXT_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
