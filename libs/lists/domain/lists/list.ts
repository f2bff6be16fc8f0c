import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { canonicalJson } from '#kernel/values/json.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import {
  kindOfList,
  listEvents,
  type ListStreamEvents,
  type ListKind,
  type ListType,
} from './list.events.js';
import type { TrackingStatus } from './member.events.js';
import {
  addedTo,
  bucketSetIn,
  emptyMembership,
  enrichedIn,
  enrichmentStartedIn,
  followedMembers,
  monitoringSetIn,
  namedIn,
  removedFrom,
  trackingSetIn,
  type Member,
  type Membership,
} from './membership.js';
import { endsMonitoring } from './ends-monitoring.js';
import { listFromJson, listToJson } from './list-snapshot.js';
import type { List, ListFacts } from './list-state.js';

/** Approximate memory of a member with its indexes, in bytes. */
const BYTES_PER_MEMBER = 600;
const BYTES_PER_CHANGE = 256;
/** Events between two snapshots of a list. */
const SNAPSHOT_EVERY = 500;

export const list = decider<List>()({
  category: 'list',
  scope: 'workspace',
  vocabulary: listEvents,
  initial: () => ({
    facts: null,
    archivedAt: null,
    deleted: false,
    crm: null,
    buckets: null,
    mayBeMonitored: false,
    membership: emptyMembership(),
  }),
  on: {
    ListCreated: (state, { data: { createdAt: _, ...facts } }) => ({ ...state, facts }),
    ListChanged: (state, { data }) => ({
      ...state,
      facts: state.facts === null ? null : { ...state.facts, ...data.changes },
    }),
    ListArchived: (state, { data }) => ({ ...state, archivedAt: data.archivedAt }),
    ListUnarchived: (state) => ({ ...state, archivedAt: null }),
    ListDeleted: (state) => ({ ...state, deleted: true }),
    ListRestored: (state) => ({ ...state, deleted: false }),
    ListCrmBound: (state, { data }) => ({ ...state, crm: data.crm }),
    ListTierAssigned: (state, { data }) => ({
      ...state,
      facts: state.facts && { ...state.facts, tier: data.tier },
    }),
    MembersAdded: (state, { data }) => withMembership(state, (members) => addedTo(members, data)),
    MembersRemoved: (state, { data }) => withMembership(state, (members) => removedFrom(members, data)),
    MemberTrackingSet: (state, { data }) => withMembership(state, (members) => trackingSetIn(members, data)),
    MemberBucketSet: (state, { data }) => withMembership(state, (members) => bucketSetIn(members, data)),
    ListMonitoringSet: (state, { data }) => {
      state.membership.monitoring.clear();
      return { ...state, buckets: data.buckets, mayBeMonitored: true };
    },
    MemberMonitoringSet: (state, { data }) =>
      withMembership({ ...state, mayBeMonitored: true }, (members) => monitoringSetIn(members, data)),
    MemberEnrichmentStarted: (state, { data }) =>
      withMembership(state, (members) => enrichmentStartedIn(members, data)),
    MembersEnriched: (state, { data }) => withMembership(state, (members) => enrichedIn(members, data)),
    MembersNamed: (state, { data }) => withMembership(state, (members) => namedIn(members, data)),
  },
  bytesOf: ({ type, data: { members } }) =>
    type === 'MembersAdded' && Array.isArray(members) ? members.length * BYTES_PER_MEMBER : BYTES_PER_CHANGE,
  stops: ({ mayBeMonitored }, events) => mayBeMonitored && events.some(endsMonitoring),
  snapshot: { every: SNAPSHOT_EVERY, stateVersion: 2, toJson: listToJson, fromJson: listFromJson },
});

/** The membership is changed in place: 10,000 members are not copied for each added one. */
function withMembership(state: List, change: (membership: Membership) => void): List {
  change(state.membership);
  return state;
}

type ListEvent = EventOf<ListStreamEvents>;

export const listNotFound = refusal({
  code: 'list-not-found',
  kind: 'missing',
  detail: 'The workspace has no list of this kind with this id.',
});

export const tierNotAllowed = refusal({
  code: 'tier-not-allowed',
  kind: 'unacceptable',
  detail: 'Only customer and prospect lists can carry a tier.',
});

export const invalidList = refusal({
  code: 'invalid-list',
  kind: 'unprocessable',
  detail: 'The list is not valid.',
});

export const employeeListStays = refusal({
  code: 'employee-list-stays',
  kind: 'conflicting',
  detail: 'The list of employees cannot be deleted.',
});

export type CreateListInput = {
  readonly listId: number;
  readonly type: Exclude<ListType, 'employee'>;
  readonly name: string;
  readonly description: string | null;
  readonly defaultTrackingStatus: TrackingStatus;
  readonly tier: number | null;
  readonly personaIds: readonly number[];
  readonly now: string;
};

/** Lists that can carry a tier (LST-04). */
export function canCarryTier(type: ListType): boolean {
  return type === 'customer' || type === 'prospect';
}

/** A new, empty list. A tier on a list that cannot carry one is refused. */
export const createList =
  ({ now, personaIds, ...facts }: CreateListInput) =>
  (state: List): ListEvent[] => {
    if (state.facts !== null) throw new Error(`list ${facts.listId} exists already`);
    if (facts.tier !== null && !canCarryTier(facts.type)) {
      throw tierNotAllowed({ errors: fieldError('tier', 'is only for customer and prospect lists') });
    }
    return [
      { type: 'ListCreated', data: { ...facts, personaIds: [...new Set(personaIds)], createdAt: now } },
    ];
  };

/** The one list of employees of a workspace, created with it; no event if it exists (OP-44). */
export const createEmployeeList =
  ({ listId, now }: { readonly listId: number; readonly now: string }) =>
  (state: List): ListEvent[] =>
    state.facts !== null
      ? []
      : [
          {
            type: 'ListCreated',
            data: {
              listId,
              type: 'employee',
              name: 'All my employees',
              description: null,
              defaultTrackingStatus: 'followed',
              tier: null,
              personaIds: [],
              createdAt: now,
            },
          },
        ];

export type ChangeListInput = {
  readonly changes: {
    readonly name?: string | undefined;
    readonly description?: string | null | undefined;
    readonly defaultTrackingStatus?: TrackingStatus | undefined;
    readonly personaIds?: readonly number[] | undefined;
  };
  readonly archived?: boolean | undefined;
  readonly now: string;
};

/** Changes the given facts of a list, and archives or unarchives it; no event if nothing changes. */
export const changeList =
  ({ changes, archived, now }: ChangeListInput) =>
  (state: List): ListEvent[] => {
    const facts = requireList(state);
    if (facts.type === 'employee') refuseEmployeeListChange(changes.personaIds, archived);
    const { listId } = facts;
    const wanted = {
      ...changes,
      ...(changes.personaIds && { personaIds: [...new Set(changes.personaIds)] }),
    };
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(
        ([field, value]) =>
          value !== undefined && canonicalJson(Reflect.get(facts, field)) !== canonicalJson(value),
      ),
    );
    const events: ListEvent[] =
      Object.keys(changed).length === 0 ? [] : [{ type: 'ListChanged', data: { listId, changes: changed } }];
    if (archived === true && state.archivedAt === null) {
      events.push({ type: 'ListArchived', data: { listId, archivedAt: now } });
    }
    if (archived === false && state.archivedAt !== null)
      events.push({ type: 'ListUnarchived', data: { listId } });
    return events;
  };

function refuseEmployeeListChange(
  personaIds: readonly number[] | undefined,
  archived: boolean | undefined,
): void {
  const errors = new Map([
    ...(archived === true ? fieldError('archived', 'the list of employees cannot be archived') : []),
    ...(personaIds !== undefined && personaIds.length > 0
      ? fieldError('persona_ids', 'the list of employees applies to every persona')
      : []),
  ]);
  if (errors.size > 0) throw invalidList({ errors });
}

/** Deletes a list; it can be restored with its members. */
export const deleteList =
  ({ now }: { readonly now: string }) =>
  (state: List): ListEvent[] => {
    const { type, listId } = requireList(state);
    if (type === 'employee') throw employeeListStays();
    return [{ type: 'ListDeleted', data: { listId, deletedAt: now } }];
  };

/** Restores a deleted list; no event if the list is not deleted. */
export const restoreList =
  () =>
  (state: List): ListEvent[] => {
    if (state.facts === null) throw listNotFound();
    return state.deleted ? [{ type: 'ListRestored', data: { listId: state.facts.listId } }] : [];
  };

/** The watched members: none of an archived or deleted list (OP-48). */
export function watchedBy({ facts, archivedAt, deleted, membership }: List): readonly Member[] {
  if (facts === null || deleted || archivedAt !== null) return [];
  return followedMembers(membership, facts.defaultTrackingStatus);
}

/** Whether `watchedBy` has this member. */
export function watches({ facts, archivedAt, deleted, membership }: List, memberId: number): boolean {
  if (facts === null || deleted || archivedAt !== null) return false;
  const member = membership.byId.get(memberId);
  return member !== undefined && (member.trackingStatus ?? facts.defaultTrackingStatus) === 'followed';
}

/** A list of this kind, deleted or not; throws `listNotFound` for another kind and for an unknown id. */
export function requireKind(state: List, kind: ListKind): List {
  if (state.facts === null || kindOfList(state.facts.type) !== kind) throw listNotFound();
  return state;
}

/** The facts of an existing list; throws `listNotFound` also for a deleted one. */
export function requireList(state: List): ListFacts {
  if (state.facts === null || state.deleted) throw listNotFound();
  return state.facts;
}
