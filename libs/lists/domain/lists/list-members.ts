import type { EventOf } from '#kernel/events/event.js';
import { inPieces } from '#kernel/values/pieces.js';
import { refusal } from '#kernel/values/refusal.js';
import { kindOfList, type ListStreamEvents } from './list.events.js';
import { requireList } from './list.js';
import type { List } from './list-state.js';
import {
  MAX_MEMBERS_AT_ONCE,
  type AddedMember,
  type MembershipSource,
  type MemberSignalBucket,
  type TrackingStatus,
} from './member.events.js';
import { findMember, type Member } from './membership.js';

type ListEvent = EventOf<ListStreamEvents>;

export const listFilledByCrm = refusal({
  code: 'list-filled-by-crm',
  kind: 'conflicting',
  detail: 'The list fills itself from a CRM: members are not added by hand.',
});

export const listNotFilledByCrm = refusal({
  code: 'list-not-filled-by-crm',
  kind: 'conflicting',
  detail: 'The list is not bound to a CRM.',
});

export const memberNotFound = refusal({
  code: 'member-not-found',
  kind: 'missing',
  detail: 'The list has no member with this id.',
});

export type AddMembersInput = {
  /** At most 100, each with a new id; existing members keep their ids. */
  readonly members: readonly AddedMember[];
  readonly source: MembershipSource;
  readonly now: string;
};

/** Adds the missing members, each once; a list that its CRM fills takes members only from its syncs. */
export const addMembers =
  ({ members, source, now }: AddMembersInput) =>
  (state: List): ListEvent[] => {
    const { listId, type } = requireOpenTo(state, source);
    const added: AddedMember[] = [];
    for (const member of members) {
      if (findMember(state.membership, member) !== null) continue;
      if (!added.some((other) => isSame(other, member))) added.push(member);
    }
    if (added.length === 0) return [];
    const kind = kindOfList(type);
    return [{ type: 'MembersAdded', data: { listId, kind, source, members: added, addedAt: now } }];
  };

/** The facts of a list to which this source may add members. Throws the refusals of `addMembers`. */
export function requireOpenTo(state: List, source: MembershipSource) {
  const facts = requireList(state);
  if (source === 'crm' && state.crm === null) throw listNotFilledByCrm();
  if (source !== 'crm' && state.crm !== null) throw listFilledByCrm();
  return facts;
}

/** Whether two rows to be added are the same company or person, by the rule of `findMember`. */
function isSame(one: AddedMember, other: AddedMember): boolean {
  if (one.handle !== null && other.handle !== null) return one.handle === other.handle;
  return one.domains.some((domain) => other.domains.includes(domain));
}

export type RemoveMembers = {
  readonly memberIds: readonly number[];
  readonly source: MembershipSource;
  readonly now: string;
};

/** Ends memberships; ended ones are left out. */
export const removeMembers =
  ({ memberIds, source, now }: RemoveMembers) =>
  (state: List): ListEvent[] => {
    const { listId, type } = requireList(state);
    const kind = kindOfList(type);
    const leaving = [...new Set(memberIds)].flatMap((memberId) => {
      const member = state.membership.byId.get(memberId);
      if (member === undefined) return [];
      const { handle, networkUrl, domains, name } = member;
      return [{ memberId, handle, networkUrl, domains, name }];
    });
    return inPieces(leaving, MAX_MEMBERS_AT_ONCE).map((members) => ({
      type: 'MembersRemoved',
      data: { listId, kind, source, members, removedAt: now },
    }));
  };

/** Ends one membership; refused if it does not exist. */
export const removeMember =
  (input: { readonly memberId: number; readonly source: MembershipSource; readonly now: string }) =>
  (state: List): ListEvent[] => {
    requireMember(state, input.memberId);
    const { memberId, source, now } = input;
    return removeMembers({ memberIds: [memberId], source, now })(state);
  };

/** Follows or unfollows a member; null: the default of the list. No event if nothing changes. */
export const setTracking =
  (memberId: number, trackingStatus: TrackingStatus | null) =>
  (state: List): ListEvent[] => {
    const { listId } = requireList(state);
    if (requireMember(state, memberId).trackingStatus === trackingStatus) return [];
    return [{ type: 'MemberTrackingSet', data: { listId, memberId, trackingStatus } }];
  };

/** Labels a member; null: the default label of the list. No event if nothing changes. */
export const setSignalBucket =
  (memberId: number, signalBucket: MemberSignalBucket | null) =>
  (state: List): ListEvent[] => {
    const { listId } = requireList(state);
    if (requireMember(state, memberId).signalBucket === signalBucket) return [];
    return [{ type: 'MemberBucketSet', data: { listId, memberId, signalBucket } }];
  };

/** A member of an existing list; throws `listNotFound` or `memberNotFound`. */
export function requireMember(state: List, memberId: number): Member {
  requireList(state);
  const member = state.membership.byId.get(memberId);
  if (member === undefined) throw memberNotFound();
  return member;
}
