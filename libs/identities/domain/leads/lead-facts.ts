import type { Immutable } from '#kernel/events/event.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';

const nullableText = Nullable(Type.String());

const LeadGeo = Type.Object(
  {
    city: nullableText,
    region: nullableText,
    country: nullableText,
    country_code: nullableText,
  },
  { title: 'LeadGeo' },
);
type LeadGeo = Immutable<Static<typeof LeadGeo>>;

const LeadExperience = Type.Object(
  {
    title: nullableText,
    company_name: nullableText,
    company_network_url: nullableText,
    location: nullableText,
    /** Approximate: as observed, e.g. `2024-03`. */
    start_date: nullableText,
    /** null for a present position. */
    end_date: nullableText,
    is_current: Type.Boolean(),
  },
  { title: 'LeadExperience' },
);
type LeadExperience = Immutable<Static<typeof LeadExperience>>;

/** The facts of a person that are copied from the observed network, with the keys of the Lead resource. */
export const LeadFacts = Type.Object({
  first_name: nullableText,
  last_name: nullableText,
  network_url: nullableText,
  network_handle: nullableText,
  network_headline: nullableText,
  avatar_url: nullableText,
  email: nullableText,
  phone: nullableText,
  /** Title of the open experience. */
  position: nullableText,
  /** Display string. */
  location: nullableText,
  /** null when no place is known. */
  geo: Nullable(LeadGeo),
  /** Most recent first; null when no work history is known. */
  experiences: Nullable(Type.Array(LeadExperience)),
});
export type LeadFacts = Immutable<Static<typeof LeadFacts>>;

/** The observed facts of a person, copied so that nothing is read twice. */
export const ObservedPerson = Type.Object({
  identity: Type.String(),
  rev: Type.Integer(),
  /** Facts of the person; the company that the person works at is the candidate's `company`. */
  facts: LeadFacts,
});
export type ObservedPerson = Immutable<Static<typeof ObservedPerson>>;
