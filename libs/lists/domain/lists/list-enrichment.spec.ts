import type { EventOf } from '#kernel/events/event.js';
import { given } from '#kernel/testing/scenario.js';
import type { ListStreamEvents } from './list.events.js';
import { createEmployeeList, createList, list } from './list.js';
import { recordEnrichment, recordLateAnswers, recordNames, startEnrichment } from './list-enrichment.js';
import { removeMember } from './list-members.js';

type ListEvent = EventOf<ListStreamEvents>;

const now = '2026-01-05T10:00:00.000Z';
const [created] = createEmployeeList({ listId: 14, now })(list.initial());
const person = (memberId: number) => ({
  memberId,
  handle: `p${memberId}`,
  networkUrl: null,
  domains: [],
  name: null,
});
const people: ListEvent = {
  type: 'MembersAdded',
  data: {
    listId: 14,
    kind: 'profile',
    source: 'api',
    members: [31, 32].map((memberId) => ({ ...person(memberId), logoUrl: null })),
    addedAt: now,
  },
};
const gone = (...memberIds: number[]): ListEvent => ({
  type: 'MembersRemoved',
  data: { listId: 14, kind: 'profile', source: 'api', members: memberIds.map(person), removedAt: now },
});
const profile = {
  firstName: 'Ana',
  lastName: 'Roy',
  avatarUrl: null,
  position: null,
  headline: null,
  currentCompany: null,
};
const started = (...memberIds: number[]): ListEvent => ({
  type: 'MemberEnrichmentStarted',
  data: { listId: 14, batch: 31, memberIds },
});
const enriched = (...memberIds: number[]): ListEvent => ({
  type: 'MembersEnriched',
  data: {
    listId: 14,
    batch: 31,
    members: memberIds.map((memberId) => ({ memberId, profile: memberId === 31 ? profile : null })),
    enrichedAt: now,
  },
});
const record = recordEnrichment({
  batch: 31,
  found: [
    { memberId: 31, profile },
    { memberId: 32, profile: null },
  ],
  now,
});
const past = created === undefined ? [] : [created, people];

describe('looking up the profiles of members (OP-45)', () => {
  it('records the pending look-up once', () => {
    given(list, past)
      .when(startEnrichment(31))
      .then([started(31, 32)]);
    given(list, [...past, started(31, 32)])
      .when(startEnrichment(31))
      .then([]);
    given(list, past).when(startEnrichment(99)).then([]);
  });

  it('records nothing about members removed meanwhile', () => {
    given(list, [...past, gone(31)])
      .when(startEnrichment(31))
      .then([started(32)]);
    given(list, [...past, gone(31, 32)])
      .when(startEnrichment(31))
      .then([]);
  });

  it('records each found profile once, and each person who was not found', () => {
    given(list, [...past, started(31, 32)])
      .when(record)
      .then([enriched(31, 32)]);
    given(list, [...past, enriched(31, 32)])
      .when(record)
      .then([]);
    given(list, [...past, enriched(31)])
      .when(record)
      .then([enriched(32)]);
  });

  it('OP-71 records the people without an observation on the network', () => {
    const found = [31, 32].map((memberId) => ({ memberId, profile: null, unheardOf: memberId === 32 }));
    given(list, [...past, started(31, 32)])
      .when(recordEnrichment({ batch: 31, found, now }))
      .then([
        {
          type: 'MembersEnriched',
          data: {
            listId: 14,
            batch: 31,
            members: [31, 32].map((memberId) => ({ memberId, profile: null })),
            unheardOf: [32],
            enrichedAt: now,
          },
        },
      ]);
  });

  it('records later profiles of people who were not found, while they are members', () => {
    const late = recordLateAnswers({ batch: 31, found: [{ memberId: 31, profile }], now });
    const missed = [...past, started(31, 32), enriched(32)];
    given(list, [...missed, enriched(31)])
      .when(late)
      .then([enriched(31)]);
    given(list, [...missed, enriched(31), gone(31)])
      .when(late)
      .then([]);
    // the first look-up has not ended
    given(list, missed).when(late).then([]);
    given(list, past).when(late).then([]);
  });

  it('ends if all people were removed meanwhile', () => {
    given(list, [...past, gone(31, 32)])
      .when(record)
      .then([enriched(31, 32)]);
  });

  it('continues while the list is deleted, so that the list is complete when it is restored', () => {
    const deleted: ListEvent = { type: 'ListDeleted', data: { listId: 14, deletedAt: now } };
    given(list, [...past, deleted])
      .when(startEnrichment(31))
      .then([started(31, 32)]);
    given(list, [...past, deleted])
      .when(record)
      .then([enriched(31, 32)]);
  });
});

describe('the names of companies that were added before the network knew them', () => {
  const company = (memberId: number, name: string | null) => ({
    memberId,
    handle: `c${memberId}`,
    networkUrl: null,
    domains: ['made.example'],
    name,
    logoUrl: null,
  });
  const companies: ListEvent = {
    type: 'MembersAdded',
    data: {
      listId: 14,
      kind: 'company',
      source: 'api',
      // A source names a company that it creates by its domain.
      members: [company(31, null), company(32, 'Beta'), company(33, 'made.example')],
      addedAt: now,
    },
  };
  const facts = { listId: 14, name: 'Key accounts', description: null, tier: null, personaIds: [] };
  const creation = createList({ ...facts, type: 'customer', defaultTrackingStatus: 'followed', now });
  const before = [...creation(list.initial()), companies];
  const named = (...memberIds: number[]) =>
    memberIds.map((memberId) => ({ memberId, name: `Company ${memberId}`, logoUrl: null }));
  const recorded = (...memberIds: number[]): ListEvent => ({
    type: 'MembersNamed',
    data: { listId: 14, members: named(...memberIds), namedAt: now },
  });

  it('OP-71 are recorded once, and never instead of an observed name', () => {
    const record = recordNames({ named: named(31, 32, 33), now });
    given(list, before)
      .when(record)
      .then([recorded(31, 33)]);
    given(list, [...before, recorded(31)])
      .when(record)
      .then([recorded(33)]);
    given(list, [...before, recorded(31, 33)])
      .when(record)
      .then([]);
  });

  it('are not recorded of companies that have left the list, or without a list', () => {
    const left: ListEvent = {
      type: 'MembersRemoved',
      data: {
        listId: 14,
        kind: 'company',
        source: 'api',
        members: [{ ...person(31), name: null }],
        removedAt: now,
      },
    };
    given(list, [...before, left])
      .when(recordNames({ named: named(31), now }))
      .then([]);
    given(list, [])
      .when(recordNames({ named: named(31), now }))
      .then([]);
  });

  it('are shown in the log when the company leaves the list', () => {
    given(list, [...before, recorded(31)])
      .when(removeMember({ memberId: 31, source: 'api', now }))
      .then([
        {
          type: 'MembersRemoved',
          data: {
            listId: 14,
            kind: 'company',
            source: 'api',
            members: [
              {
                memberId: 31,
                handle: 'c31',
                networkUrl: null,
                domains: ['made.example'],
                name: 'Company 31',
              },
            ],
            removedAt: now,
          },
        },
      ]);
  });
});
