import type { JsonObject } from '#kernel/values/json.js';
import { Type, type TSchema } from '#kernel/values/schema.js';
import { type AUTOMATIC, READINGS, type ReadingName } from './observed-values.js';

/** A text or null, parsed as its reading says; `READINGS` defines the readings. */
const read = (reads: ReadingName, description: string, more: object = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], reads, description, ...more }));

const text = (description: string) => read('text', description);
const timestamp = (description: string) => read('timestamp', description);
const partialDate = (description: string) => read('partialDate', description);
const handle = (description: string) => read('handle', description);
const address = (description: string) =>
  text(`${description}: an http or https address; any other value is dropped and noted`);

const MAX_REF_LENGTH = 500;
const REF_BOUNDS = {
  reads: 'ref',
  minLength: 1,
  maxLength: MAX_REF_LENGTH,
  $comment: `must have 1 to ${MAX_REF_LENGTH} characters`,
};
const ref = (description: string) => read('ref', description, REF_BOUNDS);

const count = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      $comment: 'must be a whole number of at least 0',
      description,
    }),
  );
const number = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ['number', 'null'], description }));
const flag = (description: string) =>
  Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description }));

/** A list without null members, or null. */
const list = <Item extends TSchema>(items: Item, description: string) => {
  const whole = Type.Array(items);
  return Type.Optional(
    Type.Unsafe<(typeof whole)['static'] | null>({ type: ['array', 'null'], items, description }),
  );
};

/** At least one of these members is given: neither absent, null nor empty. */
const anyGiven = (...names: readonly (readonly [name: string, type: 'string' | 'array'])[]) => ({
  anyOf: names.map(([name, type]) => ({
    required: [name],
    properties: { [name]: { type, ...(type === 'string' ? { minLength: 1 } : { minItems: 1 }) } },
  })),
  $comment: `${names.map(([name]) => name).join(' or ')} is required`,
});

const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Optional(
    Type.Unsafe<Value | null>({
      type: ['string', 'null'],
      enum: [...values, null],
      $comment: `must be one of ${values.join(', ')}`,
      description,
    }),
  );

const sighting = {
  ref: Type.Unsafe<string>({
    type: 'string',
    ...REF_BOUNDS,
    description:
      'permanent identifier of the observed object among those of its kind; the observer chooses it',
  }),
  rev: Type.Optional(
    Type.Unsafe<number | typeof AUTOMATIC | null>({
      type: ['integer', 'string', 'null'],
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      reads: 'revision',
      $comment: READINGS.revision.rule,
      description:
        'revision number of the object; default: 1. A revision that is not higher than the stored one changes nothing. ' +
        '`auto`: the start time of the ingest is used, and equal content changes nothing; an object has ' +
        'either numbers or `auto`',
    }),
  ),
};

const place = {
  city: text('city'),
  region: text('region'),
  country: text('name of the country'),
  country_code: text('country code, ISO 3166-1 alpha-2; stored in upper case'),
};
const Place = Type.Object(place);

const Location = Type.Object({
  is_hq: flag('whether the location is the headquarters; default: false. Headquarters are shown first'),
  ...place,
  state: text('state or county'),
  postal_code: text('postal code'),
  line1: text('first line of the address'),
  line2: text('second line of the address'),
  formatted_address: text('the whole address as one text'),
  latitude: number('degrees, north positive'),
  longitude: number('degrees, east positive'),
});

const Experience = Type.Object({
  title: text('job title'),
  company_ref: ref('`ref` of the company, if it is observed, too'),
  company_name: text('name of the company, as the profile shows it'),
  start_date: partialDate('start of the position'),
  end_date: partialDate(
    'end of the position; null while it is open. The open position that started last is the present position',
  ),
  department: text('department'),
  seniority: text('seniority'),
  location: text('place of work'),
});

const SalaryRange = Type.Object({
  currency: text('ISO 4217'),
  min: number('lower limit, in units of the currency'),
  max: number('upper limit, in units of the currency'),
  interval: oneOf(['hour', 'day', 'week', 'month', 'year'], 'period to which the salary refers'),
});

const line = <Kind extends string, Members extends { readonly [name: string]: TSchema }>(
  kind: Kind,
  description: string,
  members: Members,
  more: object = {},
) => Type.Object({ kind: Type.Literal(kind), ...sighting, ...members }, { description, ...more });

/**
 * The lines of an ingestion, one schema per kind: members, their meaning, and the rules by which a line is refused.
 */
export const observationLines = {
  company: line(
    'company',
    'A company, as its page on the network shows it.',
    {
      handle: handle('handle on the network, with or without `@`, or the URL of its page'),
      domains: list(
        Type.Unsafe<string>({ type: 'string', reads: 'domain' }),
        'domains, or URLs that contain them; stored in lower case, without `www.`',
      ),
      name: text('name'),
      industry: text('industry'),
      employees: count('number of employees'),
      employee_range: text('range of the number of employees as the network shows it, such as `51-200`'),
      founded_year: count('calendar year'),
      tagline: text('one line about the company'),
      activity_summary: text('activity of the company'),
      logo_url: address('logo'),
      locations: list(Location, 'locations of the company'),
    },
    anyGiven(['handle', 'string'], ['domains', 'array']),
  ),
  person: line(
    'person',
    'A person, as the profile shows them. A revision with another open position is a job change.',
    {
      handle: handle(
        'handle on the network, with or without `@`, or the URL of the profile; without a handle the person is identified by the `ref`',
      ),
      first_name: text('first name'),
      last_name: text('last name'),
      headline: text('headline under the name'),
      about: text('self-description of the person'),
      avatar_url: address('picture'),
      email: text('e-mail address'),
      phone: text('telephone number'),
      geo: Type.Optional(
        Type.Unsafe<(typeof Place)['static'] | null>({
          ...Place,
          type: ['object', 'null'],
          description: 'location of the person',
        }),
      ),
      experiences: list(Experience, 'work history; null or absent if it is unknown'),
      observed_at: timestamp(
        'time of the observation; it is the date of a job change that the revision shows',
      ),
    },
  ),
  post: line('post', 'A post of a person or of the page of a company. Keywords are searched in its text.', {
    author_ref: ref('`ref` of the person or company; absent if the author is not observed'),
    url: address('page'),
    text: text('full text'),
    published_at: timestamp('time of publication; a post without it is in no time window'),
  }),
  comment: line('comment', 'A comment under a post.', {
    post_ref: ref('`ref` of the post'),
    author_ref: ref('`ref` of the person or company'),
    url: address('page'),
    text: text('full text'),
    published_at: timestamp('time of publication'),
  }),
  reaction: line('reaction', 'A reaction to a post.', {
    post_ref: ref('`ref` of the post'),
    author_ref: ref('`ref` of the person or company'),
    reaction: text('kind of reaction, such as `like`'),
    reacted_at: timestamp('time of the reaction'),
  }),
  job_posting: line('job_posting', 'A job that a company advertises.', {
    company_ref: ref('`ref` of the company'),
    title: text('job title'),
    description: text('full text'),
    location: text('place of work'),
    url: address('page'),
    hiring_manager_ref: ref('`ref` of the hiring manager'),
    posted_at: timestamp('time of publication'),
    department: text('hiring department'),
    workplace: oneOf(['on_site', 'hybrid', 'remote'], 'kind of workplace'),
    salary: Type.Optional(
      Type.Unsafe<(typeof SalaryRange)['static'] | null>({
        ...SalaryRange,
        type: ['object', 'null'],
        description: 'salary range',
      }),
    ),
    closed_at: timestamp(
      'time of closing: from then on no search finds the posting. A later revision with null reopens it',
    ),
  }),
  headcount: line(
    'headcount',
    'The number of people who worked at a company on a day. Growth and decline are detected by comparing two of them.',
    {
      company_ref: ref('`ref` of the company'),
      department: text('department; null for the whole company'),
      employees: count('number of people'),
      observed_at: timestamp('time of the observation'),
    },
  ),
  company_event: line('company_event', 'An event in a company.', {
    company_ref: ref('`ref` of the company'),
    event: text(
      '`funding`, `location_opened` or `renewal_due`; other events are stored, but no detector reads them',
    ),
    fields: Type.Optional(
      Type.Unsafe<JsonObject | null>({
        type: ['object', 'null'],
        storable: true,
        description:
          'facts of the event, all optional; JSON of at most 20 levels, a value of a wrong type counts as unknown. ' +
          'All events: `url`, `extract`. funding: `round` (pre_seed, seed, series_a, series_b, series_c, later), ' +
          '`amount` (whole units of the currency, not thousands), `currency` (ISO 4217). location_opened: `city`, ' +
          '`region`, `country`, `country_code`. renewal_due, which counts only with both: `renewal_date` ' +
          '(YYYY-MM-DD), `workspace_id` (integer, the workspace of the renewal); also `contract`',
      }),
    ),
    occurred_at: timestamp('time of the event; for renewals the `renewal_date` is used'),
  }),
  missing: line(
    'missing',
    'The network has no company or person with this domain, handle or page.',
    {
      domain: read('optionalDomain', 'domain, or a URL that contains it'),
      handle: handle('handle of a person or company'),
      network_url: read('networkPage', 'page of a person or company; used before `handle`'),
    },
    anyGiven(['domain', 'string'], ['handle', 'string'], ['network_url', 'string']),
  ),
  alias: line('alias', 'A domain that several companies use.', {
    domain: Type.Unsafe<string>({
      type: 'string',
      reads: 'optionalDomain',
      minLength: 1,
      $comment: 'is required',
      description: 'domain, or a URL that contains it',
    }),
    company_refs: list(Type.Unsafe<string>({ type: 'string', ...REF_BOUNDS }), '`ref` of each company'),
  }),
};

/** The members of every line, used if the kind is unknown. */
export const anyLine = Type.Object(sighting);

export type LineKind = keyof typeof observationLines;
