import { given, history, stateAfter } from '#kernel/testing/scenario.js';
import type { EventOf } from '#kernel/events/event.js';
import { sampleList } from '#projections/testing/sample-events.js';
import type { ListStreamEvents } from './list.events.js';
import { list, listNotFound, watchedBy } from './list.js';
import {
  addMembers,
  listFilledByCrm,
  listNotFilledByCrm,
  memberNotFound,
  removeMember,
  removeMembers,
  setSignalBucket,
  setTracking,
} from './list-members.js';
import type { AddedMember } from './member.events.js';

type ListEvent = EventOf<ListStreamEvents>;

const now = '2026-01-05T10:00:00.000Z';
const created: ListEvent = { type: 'ListCreated', data: sampleList() };
const deleted: ListEvent = { type: 'ListDeleted', data: { listId: 12, deletedAt: now } };
const archived: ListEvent = { type: 'ListArchived', data: { listId: 12, archivedAt: now } };
const bound: ListEvent = { type: 'ListCrmBound', data: { listId: 12, crm: 'pipeline', boundAt: now } };

const company = (memberId: number, handle: string | null, ...domains: string[]): AddedMember => ({
  memberId,
  handle,
  networkUrl: handle === null ? null : `https://www.network.example/company/${handle}`,
  domains,
  name: handle,
  logoUrl: null,
});
const added = (...members: AddedMember[]): ListEvent => ({
  type: 'MembersAdded',
  data: { listId: 12, kind: 'company', source: 'api', members, addedAt: now },
});
const removed = (source: 'api' | 'crm', ...members: AddedMember[]): ListEvent => ({
  type: 'MembersRemoved',
  data: {
    listId: 12,
    kind: 'company',
    source,
    members: members.map(({ memberId, handle, networkUrl, domains, name }) => ({
      memberId,
      handle,
      networkUrl,
      domains,
      name,
    })),
    removedAt: now,
  },
});
const add = (...members: AddedMember[]) => addMembers({ members, source: 'api', now });

const acme = company(31, 'acme', 'acme.com');
const known = [created, added(acme)] as const;

describe('adding members (OP-45)', () => {
  it('MEM-01 records the members of one request in one event', () => {
    const group = company(32, 'group');
    given(list, [created])
      .when(add(acme, group))
      .then([added(acme, group)]);
  });

  it('MEM-23 does not add an existing member again', () => {
    given(list, known)
      .when(add(company(40, 'acme')))
      .then([]);
  });

  it('MEM-24 adds a member once if two rows name it', () => {
    given(list, [created])
      .when(add(acme, company(32, 'acme'), company(33, null, 'acme.com')))
      .then([added(acme)]);
  });

  it('MEM-29 identifies a company by its handle, or by a domain if one of the two has no handle', () => {
    given(list, known)
      .when(add(company(40, null, 'acme.com')))
      .then([]);
    const stub = company(31, null, 'acme.com');
    given(list, [created, added(stub)])
      .when(add(company(40, 'acme', 'www.example', 'acme.com')))
      .then([]);
    given(list, [created, added(stub)])
      .when(add(company(40, null, 'acme.com')))
      .then([]);
  });

  it('MEM-29 treats two handles as two companies, even with a common domain', () => {
    const british = company(40, 'acme-uk', 'acme.com');
    given(list, known)
      .when(add(british))
      .then([added(british)]);
    given(list, [created])
      .when(add(acme, british))
      .then([added(acme, british)]);
  });

  it('gives a member that is added again after its removal a new membership', () => {
    const again = company(40, 'acme', 'acme.com');
    given(list, [...known, removed('api', acme)])
      .when(add(again))
      .then([added(again)]);
  });

  it('is allowed on an archived list and refused on a deleted list', () => {
    given(list, [created, archived])
      .when(add(acme))
      .then([added(acme)]);
    given(list, [created, deleted]).when(add(acme)).then(listNotFound());
  });

  it('MEM-22 LST-15 is allowed only to the syncs of the CRM that fills the list', () => {
    const sync = addMembers({ members: [acme], source: 'crm', now });
    given(list, [created, bound]).when(add(acme)).then(listFilledByCrm());
    given(list, [created]).when(sync).then(listNotFilledByCrm());
    given(list, [created, bound])
      .when(sync)
      .then([{ type: 'MembersAdded', data: { ...addedData(acme), source: 'crm' } }]);
  });
});

function addedData(member: AddedMember): ListStreamEvents['MembersAdded'] {
  return { listId: 12, kind: 'company', source: 'api', members: [member], addedAt: now };
}

describe('removing members', () => {
  it('MEM-60 MEM-61 ends a membership once', () => {
    const remove = removeMember({ memberId: 31, source: 'api', now });
    given(list, known)
      .when(remove)
      .then([removed('api', acme)]);
    given(list, [...known, removed('api', acme)])
      .when(remove)
      .then(memberNotFound());
    given(list, [...known, deleted])
      .when(remove)
      .then(listNotFound());
  });

  it('works on a list that its CRM fills', () => {
    given(list, [...known, bound])
      .when(removeMember({ memberId: 31, source: 'api', now }))
      .then([removed('api', acme)]);
  });

  it('ends many memberships, each once, at most 100 per event, and skips ended ones', () => {
    const members = Array.from({ length: 100 }, (_, index) => company(index + 1, `c${index + 1}`));
    const more = [company(101, 'c101'), company(102, 'c102')];
    given(list, [created, added(...members), added(...more), removed('api', company(102, 'c102'))])
      .when(
        removeMembers({
          memberIds: [...members, ...more, ...members].map(({ memberId }) => memberId),
          source: 'crm',
          now,
        }),
      )
      .then([removed('crm', ...members), removed('crm', company(101, 'c101'))]);
  });
});

describe('the settings of a single member', () => {
  it('MEM-62 MEM-63 STM-06 follow, unfollow and return to the default of the list, each recorded once', () => {
    const set = (trackingStatus: 'followed' | 'unfollowed' | null): ListEvent => ({
      type: 'MemberTrackingSet',
      data: { listId: 12, memberId: 31, trackingStatus },
    });
    given(list, known)
      .when(setTracking(31, 'unfollowed'))
      .then([set('unfollowed')]);
    given(list, [...known, set('unfollowed')])
      .when(setTracking(31, 'unfollowed'))
      .then([]);
    given(list, [...known, set('unfollowed')])
      .when(setTracking(31, null))
      .then([set(null)]);
    given(list, known).when(setTracking(31, null)).then([]);
    given(list, known).when(setTracking(99, 'followed')).then(memberNotFound());
    given(list, [...known, deleted])
      .when(setTracking(31, 'followed'))
      .then(listNotFound());
  });

  it('MEM-65 STM-06 set a label and return to the label of the list', () => {
    const set = (signalBucket: 'bucket_2' | null): ListEvent => ({
      type: 'MemberBucketSet',
      data: { listId: 12, memberId: 31, signalBucket },
    });
    given(list, known)
      .when(setSignalBucket(31, 'bucket_2'))
      .then([set('bucket_2')]);
    given(list, [...known, set('bucket_2')])
      .when(setSignalBucket(31, 'bucket_2'))
      .then([]);
    given(list, [...known, set('bucket_2')])
      .when(setSignalBucket(31, null))
      .then([set(null)]);
    given(list, known).when(setSignalBucket(99, 'bucket_2')).then(memberNotFound());
  });
});

describe('the watched members', () => {
  const watched = (...events: ListEvent[]) =>
    watchedBy(stateAfter(list, history(list, [...known, added(company(32, 'group')), ...events]))).map(
      ({ memberId }) => memberId,
    );
  const tracking = (memberId: number, trackingStatus: 'followed' | 'unfollowed'): ListEvent => ({
    type: 'MemberTrackingSet',
    data: { listId: 12, memberId, trackingStatus },
  });
  const unfollowing: ListEvent = {
    type: 'ListChanged',
    data: { listId: 12, changes: { defaultTrackingStatus: 'unfollowed' } },
  };

  it('RUN-32 are all members that are followed by their own setting or by the default of the list', () => {
    expect(watched()).toEqual([31, 32]);
    expect(watched(tracking(31, 'unfollowed'))).toEqual([32]);
    expect(watched(unfollowing)).toEqual([]);
    expect(watched(unfollowing, tracking(31, 'followed'))).toEqual([31]);
  });

  it('OP-48 are none while the list is archived or deleted, and all again after that', () => {
    expect(watched(archived)).toEqual([]);
    expect(watched(deleted)).toEqual([]);
    expect(watched(archived, { type: 'ListUnarchived', data: { listId: 12 } })).toEqual([31, 32]);
    expect(watched(deleted, { type: 'ListRestored', data: { listId: 12 } })).toEqual([31, 32]);
  });
});

describe('the snapshot of a list', () => {
  it('restores a state with the same decisions', () => {
    const people: ListEvent = {
      type: 'MembersAdded',
      data: { ...addedData(company(50, 'ana')), kind: 'profile' },
    };
    const events: ListEvent[] = [
      ...known,
      bound,
      { type: 'MemberTrackingSet', data: { listId: 12, memberId: 31, trackingStatus: 'unfollowed' } },
      people,
      { type: 'MemberEnrichmentStarted', data: { listId: 12, batch: 50, memberIds: [50] } },
    ];
    const stored = history(list, events);
    const state = stateAfter(list, stored);
    const json = JSON.parse(JSON.stringify(list.snapshot?.toJson(state)));
    const back = list.snapshot?.fromJson(json, { revision: 5n, position: '5' });
    expect(back).toEqual(state);
  });
});
