import { event, type Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static, type TSchema } from '#kernel/values/schema.js';

/** Most members that one request may name and one event carries. */
export const MAX_MEMBERS_AT_ONCE = 100;
/** The size of an append is limited: the members in one append take at most half of it. */
export const MAX_PIECE_BYTES = 256 * 1024;

/** Whether a member is watched; an unfollowed one is not, and costs nothing. */
export const TrackingStatus = OneOf('followed', 'unfollowed');
export type TrackingStatus = Static<typeof TrackingStatus>;

/** Labels of no effect beyond being stored and shown (OP-45, C-14). */
export const MemberSignalBucket = OneOf('bucket_1', 'bucket_2', 'bucket_3');
export type MemberSignalBucket = Static<typeof MemberSignalBucket>;

/** Whether a member is monitored, independent of its list. */
export const MemberMonitoring = OneOf('essential', 'off');
export type MemberMonitoring = Static<typeof MemberMonitoring>;

/** The source of a membership: a caller of the API, a sync of the list's CRM, or the product itself. */
export const MembershipSource = OneOf('api', 'crm', 'product');
export type MembershipSource = Static<typeof MembershipSource>;

const name = Nullable(Type.String());

/** The identifiers of a member on the network: a handle, domains (companies), or both. */
const identity = {
  memberId: Id,
  handle: Nullable(Type.String()),
  networkUrl: Nullable(Type.String()),
  domains: Type.Array(Type.String()),
  name,
};

/** The employer that a champion had when it was added: a later other one is a job change (MEM-21). */
export const BaselineCompany = Type.Object({ name, domain: Nullable(Type.String()) });
export type BaselineCompany = Immutable<Static<typeof BaselineCompany>>;

export const AddedMember = Type.Object({
  ...identity,
  /** Of a company; people get their picture with their profile. */
  logoUrl: Nullable(Type.String()),
  baselineCompany: Type.Optional(BaselineCompany),
});
export type AddedMember = Immutable<Static<typeof AddedMember>>;

/** Whether no observation has named the company yet: a source names a company that it creates by its domain (SRC-04). */
export const isUnnamed = ({ name: known, domains }: Pick<AddedMember, 'name' | 'domains'>): boolean =>
  known === null || domains.includes(known);

/** The facts of the network about a person that a list shows. */
export const MemberProfile = Type.Object({
  firstName: name,
  lastName: name,
  avatarUrl: Nullable(Type.String()),
  position: Nullable(Type.String()),
  headline: Nullable(Type.String()),
  currentCompany: Nullable(Type.Object({ name, logoUrl: Nullable(Type.String()) })),
});
export type MemberProfile = Immutable<Static<typeof MemberProfile>>;

/**
 * The name and the picture of a company that was added before the network knew them, and the identifiers that it was
 * added without. They are shown; a member is identified by those that it was added with.
 */
export const MemberNamed = Type.Object({
  memberId: Id,
  name: Type.String(),
  logoUrl: Nullable(Type.String()),
  handle: Type.Optional(Type.String()),
  networkUrl: Type.Optional(Nullable(Type.String())),
  domain: Type.Optional(Type.String()),
});
export type MemberNamed = Immutable<Static<typeof MemberNamed>>;

const membersOf = <Schema extends TSchema>(member: Schema) =>
  Type.Array(member, { minItems: 1, maxItems: MAX_MEMBERS_AT_ONCE });

/** Events about the members of a list, on the list's own stream. */
export const memberEvents = {
  MembersAdded: event(
    Type.Object({
      listId: Id,
      kind: OneOf('company', 'profile'),
      source: MembershipSource,
      members: membersOf(AddedMember),
      addedAt: Timestamp,
    }),
  ),
  /** Carries the identities of the members: the membership log shows them after the removal. */
  MembersRemoved: event(
    Type.Object({
      listId: Id,
      kind: OneOf('company', 'profile'),
      source: MembershipSource,
      members: membersOf(Type.Object(identity)),
      removedAt: Timestamp,
    }),
  ),
  MemberTrackingSet: event(
    Type.Object({ listId: Id, memberId: Id, trackingStatus: Nullable(TrackingStatus) }),
  ),
  MemberBucketSet: event(
    Type.Object({ listId: Id, memberId: Id, signalBucket: Nullable(MemberSignalBucket) }),
  ),
  /** The monitoring of one member, independent of the list, until monitoring is set for the whole list. */
  MemberMonitoringSet: event(Type.Object({ listId: Id, memberId: Id, monitoring: MemberMonitoring })),
  /** The profiles of people who came with one MembersAdded are being looked up; `batch` is its first member. */
  MemberEnrichmentStarted: event(Type.Object({ listId: Id, batch: Id, memberIds: membersOf(Id) })),
  /**
   * The profiles that were found; null if the person is not on the network. `unheardOf`: people without an observation on
   * the network; their profiles stay pending (OP-71).
   */
  MembersEnriched: event(
    Type.Object({
      listId: Id,
      batch: Id,
      members: membersOf(Type.Object({ memberId: Id, profile: Nullable(MemberProfile) })),
      unheardOf: Type.Optional(membersOf(Id)),
      enrichedAt: Timestamp,
    }),
  ),
  /** The network now has names of companies that no observation had named when they were added (OP-71). */
  MembersNamed: event(Type.Object({ listId: Id, members: membersOf(MemberNamed), namedAt: Timestamp })),
};
