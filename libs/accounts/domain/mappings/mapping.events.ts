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

/** Most profiles that one event carries, and about how many bytes of them. */
export const MAX_PROFILES_AT_ONCE = 100;
export const MAX_PROFILES_BYTES = 256 * 1024;

const text = Nullable(Type.String());

/** A person of a mapped company, as copied from the network when it was analysed. */
export const MappedProfile = Type.Object({
  /** What the network calls the person for ever. */
  personRef: Type.String(),
  leadId: Id,
  /** What paid for the analysis; null where nothing had to. */
  movementId: Nullable(Id),
  networkUrl: text,
  avatarUrl: text,
  about: text,
  position: text,
  /** `2024-03-01`; the first day of what is known of it. */
  positionStartDate: text,
  firstName: text,
  lastName: text,
  email: text,
  phoneNumber: text,
  headline: text,
  location: Nullable(Type.Object({ city: text, region: text, country: text })),
  /** `unspecified` where it is unclear (MAP-43). */
  seniority: Type.String(),
  department: Type.String(),
});
export type MappedProfile = Immutable<Static<typeof MappedProfile>>;

/** Who works at a company: what one launch, or several of one day, found for one persona, or for nobody in particular. */
export const mappingEvents = {
  MappingStarted: event(
    Type.Object({ mappingId: Id, companyId: Id, requestDate: Day, personaId: Nullable(Id) }),
  ),
  /** A mapping of an earlier system that is for every persona, without its people; null is what is not known of it. */
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
  /** Of somebody who is in the mapping already: the facts as they are now. */
  ProfilesMapped: event(
    Type.Object({
      mappingId: Id,
      requestId: Id,
      profiles: Type.Array(MappedProfile, { minItems: 1, maxItems: MAX_PROFILES_AT_ONCE }),
    }),
  ),
  /** The request was given up: nothing more of it is recorded. */
  RequestFenced: event(Type.Object({ mappingId: Id, requestId: Id })),
  MappingCompleted: event(
    Type.Object({ mappingId: Id, requestId: Id, version: Type.Integer({ minimum: 1 }) }),
  ),
  CompanyMappingRematerialized: event(Type.Object({ mappingId: Id, version: Type.Integer({ minimum: 1 }) })),
};
export type MappingEvents = PayloadsOf<typeof mappingEvents>;

/** What a launch of one persona, or of nobody in particular (null), is known by on its day. */
const launch = {
  companyId: Id,
  requestDate: Day,
  personaId: Nullable(Id),
  requestId: Id,
  mappingId: Id,
};

/** Who launches the mapping of a company on a day: one launch a persona. */
export const mappingDayEvents = {
  /** Nobody else launches until this is launched or dropped; whoever finds it after its lease brings that about. */
  MappingReserved: event(
    Type.Object({
      ...launch,
      /** What the launch costs; 0 where nothing is held for it. */
      credits: StoredCredits,
      identifier: text,
      reservedAt: Timestamp,
      leaseUntil: Timestamp,
    }),
  ),
  /** It is paid for: the request follows. */
  MappingLaunched: event(Type.Object({ ...launch, movementId: Nullable(Id) })),
  /** It comes to nothing, and the persona can be launched. */
  MappingDropped: event(Type.Object({ ...launch, reason: OneOf('insufficient_credits', 'not_confirmed') })),
  /** Its request failed for a reason that may pass: the persona can be launched again, into the same mapping. */
  MappingReopened: event(Type.Object({ ...launch, reason: Type.String() })),
};
export type MappingDayEvents = PayloadsOf<typeof mappingDayEvents>;
