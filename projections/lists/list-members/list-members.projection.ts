import type { ListStreamEvents, ListKind } from '#lists/domain/lists/list.events.js';
import {
  isUnnamed,
  type AddedMember,
  type MemberMonitoring,
  type MemberSignalBucket,
  type TrackingStatus,
} from '#lists/domain/lists/member.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { fold } from '#kernel/values/text-folding.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A member of either kind as v2 returns it (snake_case), with internal fields. */
export type ListMemberDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly listId: number;
  readonly kind: ListKind;
  readonly network_handle: string | null;
  readonly network_url: string | null;
  /** The domain of a company, if known: the only name of a company that is not on the network. */
  readonly domain: string | null;
  readonly tracking_status: TrackingStatus | null;
  readonly signal_bucket: MemberSignalBucket | null;
  /** The monitoring setting of this member, and the revision of the list at which it was set. */
  readonly monitoring: MemberMonitoring | null;
  readonly monitoringRevision: number | null;
  readonly name: string | null;
  readonly logo_url: string | null;
  /** A company whose name no observation has shown yet, to be looked up again; null for all others. */
  readonly isUnnamed: true | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly avatar_url: string | null;
  readonly position: string | null;
  readonly network_headline: string | null;
  readonly enrichment_status: 'pending' | 'completed' | 'failed' | null;
  readonly current_company: { readonly name: string | null; readonly logo_url: string | null } | null;
  /** Name, handle and current company, folded like a search, one per line; folded text has no line break. */
  readonly search: string;
};

export const listMemberKey = workspaceScoped;

/** The text that a search is compared with (OP-45); the empty text finds all members. */
export const searchedText = (text: string): string => fold(text);

type MemberPayloads = Pick<
  ListStreamEvents,
  | 'MembersAdded'
  | 'MembersRemoved'
  | 'MemberTrackingSet'
  | 'MemberBucketSet'
  | 'MemberMonitoringSet'
  | 'MemberEnrichmentStarted'
  | 'MembersEnriched'
  | 'MembersNamed'
>;

export const listMembers = projection<ListMemberDocument, MemberPayloads>()({
  name: 'list-members',
  version: 5,
  indexes: {
    byList: ['workspaceId', 'listId', 'id'],
    search: ['workspaceId', 'listId', 'id', 'search'],
    monitoring: ['workspaceId', 'listId', 'monitoring', 'monitoringRevision', 'id'],
    unnamed: ['isUnnamed', 'workspaceId', 'id'],
  },
  onlyWith: { unnamed: 'isUnnamed' },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    return memberIdsIn(event.data).map((memberId) => listMemberKey(workspaceId, memberId));
  },
  on: {
    MembersAdded: (_none, event, key) => {
      const workspaceId = workspaceIdOf(event);
      const { listId, kind, members } = event.data;
      const added = members.find(({ memberId }) => listMemberKey(workspaceId, memberId) === key);
      return added === undefined ? null : addedMember(workspaceId, listId, kind, added);
    },
    MembersRemoved: () => null,
    MemberTrackingSet: (member, { data }) => member && { ...member, tracking_status: data.trackingStatus },
    MemberBucketSet: (member, { data }) => member && { ...member, signal_bucket: data.signalBucket },
    MemberMonitoringSet: (member, { data, revision }) =>
      member && { ...member, monitoring: data.monitoring, monitoringRevision: Number(revision) },
    MemberEnrichmentStarted: (member) => member && { ...member, enrichment_status: 'pending' },
    MembersEnriched: (member, { data: { members, unheardOf = [] } }) => {
      const found = members.find(({ memberId }) => memberId === member?.id);
      if (member === null || found === undefined) return member;
      if (unheardOf.includes(member.id)) return member;
      const { profile } = found;
      if (profile === null) return { ...member, enrichment_status: 'failed' };
      const { firstName, lastName, currentCompany } = profile;
      return searchable({
        ...member,
        enrichment_status: 'completed',
        name: joined(firstName, lastName) ?? member.name,
        first_name: firstName,
        last_name: lastName,
        avatar_url: profile.avatarUrl,
        position: profile.position,
        network_headline: profile.headline,
        current_company:
          currentCompany === null
            ? member.current_company
            : { name: currentCompany.name, logo_url: currentCompany.logoUrl },
      });
    },
    MembersNamed: (member, { data }) => {
      const named = data.members.find(({ memberId }) => memberId === member?.id);
      if (member === null || named === undefined) return member;
      return searchable({
        ...member,
        network_handle: named.handle ?? member.network_handle,
        network_url: named.networkUrl ?? member.network_url,
        domain: named.domain ?? member.domain,
        name: named.name,
        logo_url: named.logoUrl,
        isUnnamed: null,
      });
    },
  },
});

/** A member right after it was added, with the defaults of the list. */
export function addedMember(
  workspaceId: number,
  listId: number,
  kind: ListKind,
  { memberId, handle, networkUrl, domains, name, logoUrl, baselineCompany }: AddedMember,
): ListMemberDocument {
  return searchable({
    id: memberId,
    workspaceId,
    listId,
    kind,
    network_handle: handle,
    network_url: networkUrl,
    domain: domains[0] ?? null,
    tracking_status: null,
    signal_bucket: null,
    monitoring: null,
    monitoringRevision: null,
    name,
    logo_url: logoUrl,
    isUnnamed: kind === 'company' && isUnnamed({ name, domains }) ? true : null,
    first_name: null,
    last_name: null,
    avatar_url: null,
    position: null,
    network_headline: null,
    enrichment_status: null,
    // The employer that a champion was added with is the current one until the network shows another.
    current_company:
      baselineCompany === undefined
        ? null
        : { name: baselineCompany.name ?? baselineCompany.domain, logo_url: null },
  });
}

function memberIdsIn(data: MemberPayloads[keyof MemberPayloads]): readonly number[] {
  if ('members' in data) return data.members.map(({ memberId }) => memberId);
  return 'memberIds' in data ? data.memberIds : [data.memberId];
}

function searchable(member: Omit<ListMemberDocument, 'search'>): ListMemberDocument {
  const texts = [member.name, member.network_handle, member.current_company?.name];
  const search = texts.map((text) => searchedText(text ?? '')).join('\n');
  return { ...member, search };
}

function joined(...names: readonly (string | null)[]): string | null {
  return names.filter((name) => name !== null && name !== '').join(' ') || null;
}
