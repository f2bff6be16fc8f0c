import { given, history, stateAfter } from '#kernel/testing/scenario.js';
import type { EventOf } from '#kernel/events/event.js';
import { sampleList, sampleMember } from '#projections/testing/sample-events.js';
import type { ListStreamEvents } from './list.events.js';
import { invalidList, list, listNotFound } from './list.js';
import { memberNotFound } from './list-members.js';
import { listFromJson, listToJson } from './list-snapshot.js';
import { ESSENTIAL, monitoredBy, setListMonitoring, setMemberMonitoring } from './list-monitoring.js';
import type { MemberMonitoring } from './member.events.js';

type ListEvent = EventOf<ListStreamEvents>;

const now = '2026-01-05T10:00:00.000Z';
const created = (type: 'customer' | 'champion' = 'customer'): ListEvent => ({
  type: 'ListCreated',
  data: sampleList({ type }),
});
const added: ListEvent = {
  type: 'MembersAdded',
  data: {
    listId: 12,
    kind: 'company',
    source: 'api',
    addedAt: now,
    members: ['acme', 'globex', 'initech'].map((handle, index) => sampleMember(31 + index, { handle })),
  },
};
const listSet = (buckets: ListStreamEvents['ListMonitoringSet']['buckets']): ListEvent => ({
  type: 'ListMonitoringSet',
  data: { listId: 12, buckets },
});
const memberSet = (memberId: number, monitoring: MemberMonitoring): ListEvent => ({
  type: 'MemberMonitoringSet',
  data: { listId: 12, memberId, monitoring },
});
const unfollowed: ListEvent = {
  type: 'MemberTrackingSet',
  data: { listId: 12, memberId: 32, trackingStatus: 'unfollowed' },
};
const archived: ListEvent = { type: 'ListArchived', data: { listId: 12, archivedAt: now } };

const wantedOf = (...events: ListEvent[]): readonly number[] =>
  monitoredBy(stateAfter(list, history(list, [created(), added, ...events]))).map(({ memberId }) => memberId);

describe('monitoring of a list', () => {
  it('MON-20 MON-22 includes all members or none', () => {
    expect(wantedOf()).toEqual([]);
    expect(wantedOf(listSet(['essential']))).toEqual([31, 32, 33]);
    expect(wantedOf(listSet(['essential']), listSet(null))).toEqual([]);
  });

  it('MON-24 OP-26 includes or excludes a single member until the whole list is set', () => {
    expect(wantedOf(memberSet(32, 'essential'))).toEqual([32]);
    expect(wantedOf(listSet(['essential']), memberSet(32, 'off'))).toEqual([31, 33]);
    expect(wantedOf(memberSet(32, 'essential'), listSet(null))).toEqual([]);
    expect(wantedOf(memberSet(32, 'off'), listSet(['essential']))).toEqual([31, 32, 33]);
  });

  it('MON-29 OP-48 excludes members that are not watched', () => {
    expect(wantedOf(listSet(['essential']), unfollowed)).toEqual([31, 33]);
    expect(wantedOf(listSet(['essential']), archived)).toEqual([]);
  });

  it('keeps the settings in the snapshot', () => {
    const state = stateAfter(
      list,
      history(list, [created(), added, listSet(['essential']), memberSet(33, 'off')]),
    );
    expect(monitoredBy(listFromJson(JSON.parse(JSON.stringify(listToJson(state)))))).toEqual(
      monitoredBy(state),
    );
  });
});

describe('setting the monitoring of a list', () => {
  it('MON-20 records changes only; a repetition records no event', () => {
    given(list, [created(), added])
      .when(setListMonitoring(ESSENTIAL))
      .then([listSet(['essential'])]);
    given(list, [created(), added, listSet(['essential'])])
      .when(setListMonitoring(ESSENTIAL))
      .then([]);
    given(list, [created(), added]).when(setListMonitoring(null)).then([]);
    given(list, [created(), added])
      .when(setMemberMonitoring(31, 'essential'))
      .then([memberSet(31, 'essential')]);
    given(list, [created(), added, memberSet(31, 'essential')])
      .when(setMemberMonitoring(31, 'essential'))
      .then([]);
  });

  it('MON-22 ends the monitoring of single members when the list is stopped', () => {
    given(list, [created(), added, memberSet(31, 'essential')])
      .when(setListMonitoring(null))
      .then([listSet(null)]);
  });

  it('MON-30 OP-28 refuses unknown lists and members, and lists of people', () => {
    given(list, []).when(setListMonitoring(ESSENTIAL)).then(listNotFound());
    given(list, [created()]).when(setMemberMonitoring(31, 'off')).then(memberNotFound());
    given(list, [created('champion')])
      .when(setListMonitoring(null))
      .then(invalidList());
  });
});
