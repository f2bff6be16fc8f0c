import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import {
  Day,
  Id,
  Nullable,
  OneOf,
  StoredCredits,
  Timestamp,
  Type,
  type Static,
} from '#kernel/values/schema.js';

/** The maximum number of profiles in one event, and their approximate size in bytes. */
export const MAX_PROFILES_AT_ONCE = 100;
export const MAX_PROFILES_BYTES = 256 * 1024;

const text = Nullable(Type.String());

/** A person of a mapped company, copied from the network at the analysis. */
export const MappedProfile = Type.Object({
  /** The permanent ref of the person on the network. */
  personRef: Type.String(),
  leadId: Id,
  /** The movement that paid for the analysis; null if it was free. */
  movementId: Nullable(Id),
  networkUrl: text,
  avatarUrl: text,
  about: text,
  position: text,
  /** `2024-03-01`; the first possible day of the known date. */
  positionStartDate: text,
  firstName: text,
  lastName: text,
  email: text,
  phoneNumber: text,
  headline: text,
  location: Nullable(Type.Object({ city: text, region: text, country: text })),
  /** `unspecified` if it is unclear (MAP-43). */
  seniority: Type.String(),
  department: Type.String(),
});
export type MappedProfile = Immutable<Static<typeof MappedProfile>>;

/** The people of a company that one launch, or several of one day, found for one persona or without a persona. */
export const mappingEvents = {
  MappingStarted: event(
    Type.Object({ mappingId: Id, companyId: Id, requestDate: Day, personaId: Nullable(Id) }),
  ),
  /** A mapping of an earlier system for every persona, without its people; unknown members are null. */
  LegacyMappingImported: event(
    Type.Object({
      mappingId: Id,
      /** Its id in the earlier system. */
      legacyId: Type.String(),
      companyId: Nullable(Id),
      requestDate: Nullable(Day),
      status: Nullable(OneOf('complete')),
      version: Nullable(Type.Integer({ minimum: 1 })),
    }),
  ),
  /** For a person who is already in the mapping: the current facts. */
  ProfilesMapped: event(
    Type.Object({
      mappingId: Id,
      requestId: Id,
      profiles: Type.Array(MappedProfile, { minItems: 1, maxItems: MAX_PROFILES_AT_ONCE }),
    }),
  ),
  /** The request has ended: its work records nothing more. */
  RequestFenced: event(Type.Object({ mappingId: Id, requestId: Id })),
  MappingCompleted: event(
    Type.Object({ mappingId: Id, requestId: Id, version: Type.Integer({ minimum: 1 }) }),
  ),
  CompanyMappingRematerialized: event(Type.Object({ mappingId: Id, version: Type.Integer({ minimum: 1 }) })),
};
export type MappingEvents = PayloadsOf<typeof mappingEvents>;

/** The key of a launch on its day: its persona, or null without a persona. */
const launch = {
  companyId: Id,
  requestDate: Day,
  personaId: Nullable(Id),
  requestId: Id,
  mappingId: Id,
};

/** The launches of a company's mapping on a day: one per persona. */
export const mappingDayEvents = {
  /**
   * No other call launches until this is launched or dropped; after its lease another call or process completes it.
   */
  MappingReserved: event(
    Type.Object({
      ...launch,
      /** The price of the launch; 0 if nothing is held for it. */
      credits: StoredCredits,
      identifier: text,
      reservedAt: Timestamp,
      leaseUntil: Timestamp,
    }),
  ),
  /** It is paid for: the request follows. */
  MappingLaunched: event(Type.Object({ ...launch, movementId: Nullable(Id) })),
  /** It is dropped, and the persona can be launched again. */
  MappingDropped: event(Type.Object({ ...launch, reason: OneOf('insufficient_credits', 'not_confirmed') })),
  /** Its request failed for a temporary reason: the persona can be launched again, into the same mapping. */
  MappingReopened: event(Type.Object({ ...launch, reason: Type.String() })),
};
export type MappingDayEvents = PayloadsOf<typeof mappingDayEvents>;
