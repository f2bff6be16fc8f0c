import type { Immutable } from '#kernel/events/event.js';
import { Id, JsonMembers, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { MonitoredBuckets } from '#lists/domain/lists/list.events.js';
import { MemberSignalBucket, TrackingStatus } from '#lists/domain/lists/member.events.js';
import type { RowError } from '#lists/domain/lists/member-admission.js';
import type { ListMemberDocument } from '#projections/lists/list-members/list-members.projection.js';
import type { ListDocument } from '#projections/lists/lists/lists.projection.js';

const text = Nullable(Type.String());

const identity = { id: Id, network_handle: text, network_url: text };
const companyFacts = { domain: text, name: text, logo_url: text };
const profileFacts = {
  first_name: text,
  last_name: text,
  avatar_url: text,
  position: text,
  network_headline: text,
  enrichment_status: Nullable(OneOf('pending', 'completed', 'failed')),
  current_company: Nullable(Type.Object({ name: text, logo_url: text }, { title: 'CurrentCompany' })),
};
const tracking = { tracking_status: Nullable(TrackingStatus) };
const overrides = { ...tracking, signal_bucket: Nullable(MemberSignalBucket) };

/** The minimum that identifies a member: `response_format=concise`. */
export const ConciseMember = Type.Object(identity, { title: 'ConciseMember' });
export type ConciseMember = Immutable<Static<typeof ConciseMember>>;

/** A member of a list of companies, or of a list of people. */
export const MemberView = Type.Union(
  [
    Type.Object({ ...identity, ...overrides, ...companyFacts }, { title: 'CompanyMember' }),
    Type.Object({ ...identity, ...overrides, ...profileFacts }, { title: 'ProfileMember' }),
  ],
  { title: 'Member' },
);
export type MemberAnswer = Immutable<Static<typeof MemberView>>;

/** `["essential"]` if it is monitored, else null. */
export const SignalBuckets = Nullable(Type.Array(OneOf('essential')));

/** A member as it is answered in v3: with the bucket in which it is monitored, by itself or with its list. */
export const MonitoredMemberView = Type.Union(
  MemberView.anyOf.map((member) =>
    Type.Object(
      { ...member.properties, signal_buckets: SignalBuckets },
      { title: `Monitored${member.title}` },
    ),
  ),
  { title: 'MonitoredMember' },
);
export type MonitoredMemberAnswer = MemberAnswer & { readonly signal_buckets: MonitoredBuckets };

/** A member as the older path shows it: without the label. */
export const EntityView = Type.Union(
  [
    Type.Object({ ...identity, ...tracking, ...companyFacts }, { title: 'CompanyEntity' }),
    Type.Object({ ...identity, ...tracking, ...profileFacts }, { title: 'ProfileEntity' }),
  ],
  { title: 'WatchlistEntity' },
);
export type EntityAnswer = Immutable<Static<typeof EntityView>>;

export const RowErrorView = Type.Object(
  {
    input: JsonMembers,
    code: OneOf(
      'multiple_domain_matches',
      'lookup_failed',
      'resolution_failed',
      'wrong_entity_type',
      'invalid_identifier',
    ),
    message: Type.String(),
  },
  { title: 'RowError' },
);

/** The added members and the rejected rows. */
export type AddedMembers<Member> = {
  readonly data: readonly Member[];
  readonly errors: readonly RowError[];
};

export const conciseMember = ({ id, network_handle, network_url }: ListMemberDocument): ConciseMember => ({
  id,
  network_handle,
  network_url,
});

export const memberView = (member: ListMemberDocument): MemberAnswer => ({
  ...conciseMember(member),
  tracking_status: member.tracking_status,
  signal_bucket: member.signal_bucket,
  ...(member.kind === 'company' ? companyFactsOf(member) : profileFactsOf(member)),
});

type MonitoredList = Pick<ListDocument, 'signal_buckets' | 'monitoringRevision'>;

export function monitoredMemberView(list: MonitoredList, member: ListMemberDocument): MonitoredMemberAnswer {
  const { monitoring, monitoringRevision } = member;
  // A setting of a member from before the last setting of its list no longer applies.
  const isOwn = monitoring !== null && (monitoringRevision ?? 0) > (list.monitoringRevision ?? -1);
  const own: MonitoredBuckets = monitoring === 'essential' ? ['essential'] : null;
  return { ...memberView(member), signal_buckets: isOwn ? own : list.signal_buckets };
}

export const entityView = ({ signal_bucket: _label, ...entity }: MemberAnswer): EntityAnswer => entity;

const companyFactsOf = ({ domain, name, logo_url }: ListMemberDocument) => ({ domain, name, logo_url });

const profileFactsOf = (member: ListMemberDocument) => ({
  first_name: member.first_name,
  last_name: member.last_name,
  avatar_url: member.avatar_url,
  position: member.position,
  network_headline: member.network_headline,
  enrichment_status: member.enrichment_status,
  current_company: member.current_company,
});
