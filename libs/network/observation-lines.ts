import type { JsonObject } from '#kernel/values/json.js';
import { Type, type TSchema } from '#kernel/values/schema.js';
import type { AUTOMATIC } from './observed-values.js';
import { READINGS, type ReadingName } from './observed-values.js';

/** A text or null, parsed as its reading says; `READINGS` defines the readings. */
const read = (reads: ReadingName, description: string, more: object = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], reads, description, ...more }));

const text = (description: string) => read('text', description);
const timestamp = (description: string) => read('timestamp', description);
const partialDate = (description: string) => read('partialDate', description);
const handle = (description: string) => read('handle', description);
const address = (description: string) =>
  text(`${description}: an http or https address; anything else is left out and noted`);

const MAX_REF_LENGTH = 500;
const REF_BOUNDS = {
  reads: 'ref',
  minLength: 1,
  maxLength: MAX_REF_LENGTH,
  $comment: `must have 1 to ${MAX_REF_LENGTH} characters`,
};
const ref = (description: string) => read('ref', description, REF_BOUNDS);

const count = (description: string, minimum = 0) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum,
      maximum: Number.MAX_SAFE_INTEGER,
      $comment: `must be a whole number of at least ${minimum}`,
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
    description: 'names the thing for ever, among those of its kind; chosen by who observes',
  }),
  rev: Type.Optional(
    Type.Unsafe<number | typeof AUTOMATIC | null>({
      type: ['integer', 'string', 'null'],
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      reads: 'revision',
      $comment: READINGS.revision.rule,
      description:
        'counts what was seen of the thing; 1 where it is not given. An older or equal one changes nothing. ' +
        '`auto`: the time at which the ingest began stands for it, and equal content changes nothing; a thing has ' +
        'either numbers or `auto`',
    }),
  ),
};

const place = {
  city: text('city'),
  region: text('region'),
  country: text('country, by its name'),
  country_code: text('country, ISO 3166-1 alpha-2; kept in capitals'),
};
const Place = Type.Object(place);

const Location = Type.Object({
  is_hq: flag('whether it is the headquarters; false where it is not given. Headquarters are shown first'),
  ...place,
  state: text('state or county'),
  postal_code: text('postal code'),
  line1: text('first line of the address'),
  line2: text('second line of the address'),
  formatted_address: text('the address in one text'),
  latitude: number('degrees, north positive'),
  longitude: number('degrees, east positive'),
});

const Experience = Type.Object({
  title: text('job title'),
  company_ref: ref('`ref` of the company, where it is observed too'),
  company_name: text('name of the company, as the person writes it'),
  start_date: partialDate('when it began'),
  end_date: partialDate(
    'when it ended; null while it lasts. The open one that began last is the present position',
  ),
  department: text('department'),
  seniority: text('seniority'),
  location: text('where the work is done'),
});

const SalaryRange = Type.Object({
  currency: text('ISO 4217'),
  min: number('least, in units of the currency'),
  max: number('most, in units of the currency'),
  interval: oneOf(['hour', 'day', 'week', 'month', 'year'], 'for how much work'),
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
    'A company as its page shows it.',
    {
      handle: handle('handle on the network, with or without `@`, or the URL of its page'),
      domains: list(
        Type.Unsafe<string>({ type: 'string', reads: 'domain' }),
        'domains, given as such or inside a URL; kept in lower case, without `www.`',
      ),
      name: text('name'),
      industry: text('industry'),
      employees: count('people who work there'),
      employee_range: text('their range as the network shows it, such as `51-200`'),
      founded_year: count('calendar year'),
      tagline: text('one line about it'),
      activity_summary: text('what it does'),
      logo_url: address('logo'),
      locations: list(Location, 'its places'),
    },
    anyGiven(['handle', 'string'], ['domains', 'array']),
  ),
  person: line(
    'person',
    'A person as the profile shows them. A revision whose open experience is another one is a job change.',
    {
      handle: handle(
        'handle on the network, with or without `@`, or the URL of the profile; without it the `ref` names the person',
      ),
      first_name: text('first name'),
      last_name: text('last name'),
      headline: text('headline under the name'),
      about: text('what they write about themselves'),
      avatar_url: address('picture'),
      email: text('e-mail address'),
      phone: text('telephone number'),
      geo: Type.Optional(
        Type.Unsafe<(typeof Place)['static'] | null>({
          ...Place,
          type: ['object', 'null'],
          description: 'where they are',
        }),
      ),
      experiences: list(Experience, 'work history; null or absent where nothing is known of it'),
      observed_at: timestamp('when it was seen: the date of a job change that it shows'),
    },
  ),
  post: line('post', 'A post of a person or of the page of a company. Keywords are looked for in its text.', {
    author_ref: ref('`ref` of the person or company; a post whose author is not observed has none'),
    url: address('its page'),
    text: text('its whole text'),
    published_at: timestamp('when it was published; without it no window of time has it'),
  }),
  comment: line('comment', 'A comment under a post.', {
    post_ref: ref('`ref` of the post'),
    author_ref: ref('`ref` of the person or company'),
    url: address('its page'),
    text: text('its whole text'),
    published_at: timestamp('when it was published'),
  }),
  reaction: line('reaction', 'A reaction to a post.', {
    post_ref: ref('`ref` of the post'),
    author_ref: ref('`ref` of the person or company'),
    reaction: text('which one, such as `like`'),
    reacted_at: timestamp('when'),
  }),
  job_posting: line('job_posting', 'A job that a company advertises.', {
    company_ref: ref('`ref` of the company'),
    title: text('job title'),
    description: text('the whole text'),
    location: text('where the work is done'),
    url: address('its page'),
    hiring_manager_ref: ref('`ref` of the person who hires'),
    posted_at: timestamp('when it was posted'),
    department: text('department that hires'),
    workplace: oneOf(['on_site', 'hybrid', 'remote'], 'where the work is done, in kind'),
    salary: Type.Optional(
      Type.Unsafe<(typeof SalaryRange)['static'] | null>({
        ...SalaryRange,
        type: ['object', 'null'],
        description: 'what is paid',
      }),
    ),
    closed_at: timestamp('when it was closed: nothing finds it from then on. Null opens it again'),
  }),
  headcount: line(
    'headcount',
    'How many people worked at a company on a day. Growth and decline compare two of them.',
    {
      company_ref: ref('`ref` of the company'),
      department: text('department; null for the whole company'),
      employees: count('people'),
      observed_at: timestamp('when it was seen'),
    },
  ),
  company_event: line('company_event', 'Something that happened to a company.', {
    company_ref: ref('`ref` of the company'),
    event: text('`funding`, `location_opened` or `renewal_due`; others are kept and nothing looks for them'),
    fields: Type.Optional(
      Type.Unsafe<JsonObject | null>({
        type: ['object', 'null'],
        storable: true,
        description:
          'what is told of it, all optional; JSON of at most 20 levels, a wrong type counts as unknown. ' +
          'All events: `url`, `extract`. funding: `round` (pre_seed, seed, series_a, series_b, series_c, later), ' +
          '`amount` (whole units of the currency, not thousands), `currency` (ISO 4217). location_opened: `city`, ' +
          '`region`, `country`, `country_code`. renewal_due, which counts only with both: `renewal_date` ' +
          '(YYYY-MM-DD), `workspace_id` (integer, whose renewal it is); also `contract`',
      }),
    ),
    occurred_at: timestamp('when it happened; renewals go by their `renewal_date`'),
  }),
  missing: line(
    'missing',
    'The network says that nothing is there: at a domain, under a handle, or at a page.',
    {
      domain: read('optionalDomain', 'domain, given as such or inside a URL'),
      handle: handle('handle of a person or company'),
      network_url: read('networkPage', 'page of a person or company; before `handle`'),
    },
    anyGiven(['domain', 'string'], ['handle', 'string'], ['network_url', 'string']),
  ),
  alias: line('alias', 'One domain that several companies use.', {
    domain: Type.Unsafe<string>({
      type: 'string',
      reads: 'optionalDomain',
      minLength: 1,
      $comment: 'is required',
      description: 'domain, given as such or inside a URL',
    }),
    company_refs: list(Type.Unsafe<string>({ type: 'string', ...REF_BOUNDS }), '`ref` of each company'),
  }),
};

/** The members of every line, used if the kind is unknown. */
export const anyLine = Type.Object(sighting);

export type LineKind = keyof typeof observationLines;
