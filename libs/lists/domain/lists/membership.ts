import type { ListStreamEvents } from './list.events.js';
import type {
  AddedMember,
  BaselineCompany,
  MemberMonitoring,
  MemberSignalBucket,
  TrackingStatus,
} from './member.events.js';

/** One membership. A removed member that is added again gets a new one. */
export type Member = Omit<AddedMember, 'logoUrl' | 'baselineCompany'> & {
  /** null: the default of the list. */
  readonly trackingStatus: TrackingStatus | null;
  readonly signalBucket: MemberSignalBucket | null;
  readonly baselineCompany: BaselineCompany | null;
  /** RFC 3339. */
  readonly addedAt: string;
};

/** The identifiers of a company or person. */
export type NetworkIdentity = Pick<Member, 'handle' | 'domains'>;

/** People whose profiles are to be looked up together. */
export type EnrichmentBatch = { readonly started: boolean; readonly memberIds: Set<number> };

/** The members of a list, changed in place by its events. */
export type Membership = {
  readonly byId: Map<number, Member>;
  readonly idOfHandle: Map<string, number>;
  readonly idsOfDomain: Map<string, readonly number[]>;
  /** Monitoring settings of single members, by member. */
  readonly monitoring: Map<number, MemberMonitoring>;
  /** By the id of their first member. */
  readonly batches: Map<number, EnrichmentBatch>;
};

export const emptyMembership = (): Membership => ({
  byId: new Map(),
  idOfHandle: new Map(),
  idsOfDomain: new Map(),
  monitoring: new Map(),
  batches: new Map(),
});

/**
 * The existing member with the same identity (MEM-29): the same handle or, if one of the two has no handle, a
 * common domain. Two handles are two companies, even with a common domain.
 */
export function findMember(
  { byId, ...ids }: Membership,
  { handle, domains }: NetworkIdentity,
): Member | null {
  const known = handle === null ? undefined : ids.idOfHandle.get(handle);
  if (known !== undefined) return byId.get(known) ?? null;
  for (const domain of domains) {
    for (const memberId of ids.idsOfDomain.get(domain) ?? []) {
      const member = byId.get(memberId);
      if (member !== undefined && (member.handle === null || handle === null)) return member;
    }
  }
  return null;
}

/** The watched members: followed by their own setting or by the default of the list. */
export function followedMembers({ byId }: Membership, defaultStatus: TrackingStatus): readonly Member[] {
  return [...byId.values()].filter(({ trackingStatus }) => (trackingStatus ?? defaultStatus) === 'followed');
}

export function remember(membership: Membership, member: Member): void {
  const { byId, idOfHandle, idsOfDomain } = membership;
  byId.set(member.memberId, member);
  if (member.handle !== null) idOfHandle.set(member.handle, member.memberId);
  for (const domain of member.domains) {
    idsOfDomain.set(domain, [...(idsOfDomain.get(domain) ?? []), member.memberId]);
  }
}

export function openBatch(
  { batches }: Membership,
  batch: number,
  memberIds: readonly number[],
  started: boolean,
): void {
  batches.set(batch, { started, memberIds: new Set(memberIds) });
}

export function addedTo(
  membership: Membership,
  { kind, members, addedAt }: ListStreamEvents['MembersAdded'],
): void {
  for (const { memberId, handle, networkUrl, domains, name, baselineCompany = null } of members) {
    const asTheListSays = { trackingStatus: null, signalBucket: null };
    remember(membership, {
      memberId,
      handle,
      networkUrl,
      domains,
      name,
      baselineCompany,
      addedAt,
      ...asTheListSays,
    });
  }
  const memberIds = members.map(({ memberId }) => memberId);
  const [first] = memberIds;
  if (kind === 'profile' && first !== undefined) openBatch(membership, first, memberIds, false);
}

export function removedFrom(membership: Membership, { members }: ListStreamEvents['MembersRemoved']): void {
  const { byId, idOfHandle, idsOfDomain, monitoring } = membership;
  for (const { memberId } of members) {
    const member = byId.get(memberId);
    if (member === undefined) continue;
    byId.delete(memberId);
    monitoring.delete(memberId);
    if (member.handle !== null) idOfHandle.delete(member.handle);
    for (const domain of member.domains) {
      const left = (idsOfDomain.get(domain) ?? []).filter((id) => id !== memberId);
      if (left.length === 0) idsOfDomain.delete(domain);
      else idsOfDomain.set(domain, left);
    }
  }
}

export function trackingSetIn(
  { byId }: Membership,
  { memberId, trackingStatus }: ListStreamEvents['MemberTrackingSet'],
): void {
  const member = byId.get(memberId);
  if (member !== undefined) byId.set(memberId, { ...member, trackingStatus });
}

export function bucketSetIn(
  { byId }: Membership,
  { memberId, signalBucket }: ListStreamEvents['MemberBucketSet'],
): void {
  const member = byId.get(memberId);
  if (member !== undefined) byId.set(memberId, { ...member, signalBucket });
}

export function monitoringSetIn(
  { byId, monitoring }: Membership,
  { memberId, monitoring: wanted }: ListStreamEvents['MemberMonitoringSet'],
): void {
  if (byId.has(memberId)) monitoring.set(memberId, wanted);
}

export function enrichmentStartedIn(
  { batches }: Membership,
  { batch }: ListStreamEvents['MemberEnrichmentStarted'],
): void {
  const open = batches.get(batch);
  if (open !== undefined) batches.set(batch, { ...open, started: true });
}

export function enrichedIn(
  { byId, batches }: Membership,
  { batch, members }: ListStreamEvents['MembersEnriched'],
): void {
  const open = batches.get(batch);
  for (const { memberId, profile } of members) {
    open?.memberIds.delete(memberId);
    const member = byId.get(memberId);
    const name = profile === null ? null : fullNameOf(profile);
    if (member !== undefined && name !== null) byId.set(memberId, { ...member, name });
  }
  if (open?.memberIds.size === 0) batches.delete(batch);
}

export function namedIn({ byId }: Membership, { members }: ListStreamEvents['MembersNamed']): void {
  for (const { memberId, name } of members) {
    const member = byId.get(memberId);
    if (member !== undefined) byId.set(memberId, { ...member, name });
  }
}

/** First and last name; null when neither is known. */
function fullNameOf(person: {
  readonly firstName: string | null;
  readonly lastName: string | null;
}): string | null {
  const names = [person.firstName, person.lastName].filter((name) => name !== null && name !== '');
  return names.length === 0 ? null : names.join(' ');
}
