import type { Immutable } from '#kernel/events/event.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';

const nullableText = Nullable(Type.String());
const nullableNumber = Nullable(Type.Number());
const nullableInteger = Nullable(Type.Integer());

/** One place of a company; absent parts are null (OP-71). */
export const CompanyResourceLocation = Type.Object(
  {
    is_hq: Type.Boolean(),
    city: nullableText,
    region: nullableText,
    state: nullableText,
    country: nullableText,
    country_code: nullableText,
    postal_code: nullableText,
    line1: nullableText,
    line2: nullableText,
    formatted_address: nullableText,
    latitude: nullableNumber,
    longitude: nullableNumber,
  },
  { title: 'CompanyLocation' },
);
export type CompanyResourceLocation = Immutable<Static<typeof CompanyResourceLocation>>;

/**
 * The facts of a company that are copied from the observed network, with the keys of the Company resource. A company that
 * was not enriched has its identifiers, `locations: []` and null in all other members.
 */
export const CompanyResource = Type.Object({
  name: nullableText,
  domain: nullableText,
  url: nullableText,
  network_url: nullableText,
  network_handle: nullableText,
  logo_url: nullableText,
  /** Display string of the headquarters. */
  location: nullableText,
  /** Headquarters first. */
  locations: Type.Array(CompanyResourceLocation),
  number_of_employees: nullableInteger,
  employee_range: nullableText,
  founded_year: nullableInteger,
  industries: nullableText,
  activity_summary: nullableText,
  tagline: nullableText,
});
export type CompanyResource = Immutable<Static<typeof CompanyResource>>;

/** The domains of a company beside that of its facts; absent: it has none, or they were not copied yet. */
export const OtherDomains = Type.Optional(Type.Array(Type.String()));

/** The observed facts of a company, copied so that nothing is read twice. */
export const ObservedCompany = Type.Object({
  /** `handle:<handle>` or `domain:<domain>`: the name of the workspace's identity stream. */
  identity: Type.String(),
  rev: Type.Integer(),
  facts: CompanyResource,
  otherDomains: OtherDomains,
});
export type ObservedCompany = Immutable<Static<typeof ObservedCompany>>;
