import { foldAll } from '#kernel/testing/project.js';
import { sampleAddition, sampleMember } from '#projections/testing/sample-events.js';
import { membershipLogs } from './membership-logs.projection.js';

const members = [31, 32].map((memberId) => sampleMember(memberId, { name: 'Acme' }));
const added = sampleAddition('company', 12, members);
const removed = {
  type: 'MembersRemoved',
  data: {
    listId: 12,
    kind: 'company',
    source: 'crm',
    members: members.slice(0, 1),
    removedAt: '2026-01-06T10:00:00.000Z',
  },
};

describe('the membership log', () => {
  it('MEM-66 has an entry for each addition and each removal, each with its own id', () => {
    const entries = [...foldAll(membershipLogs, [added, removed]).values()];
    expect(entries.map(({ id, member_id, action, source }) => ({ id, member_id, action, source }))).toEqual([
      { id: 62, member_id: 31, action: 'added', source: 'api' },
      { id: 64, member_id: 32, action: 'added', source: 'api' },
      { id: 63, member_id: 31, action: 'removed', source: 'crm' },
    ]);
  });

  it('shows the member and the time, also for removed members', () => {
    expect([...foldAll(membershipLogs, [added, removed]).values()].at(-1)).toEqual({
      id: 63,
      workspaceId: 1,
      listId: 12,
      member_id: 31,
      action: 'removed',
      network_handle: 'm31',
      network_url: null,
      domain: null,
      name: 'Acme',
      source: 'crm',
      occurredAt: '2026-01-06T10:00:00.000Z',
      listRevision: 1,
    });
  });

  it('OP-46 keeps the order of events with the same time, which differs from the order of the ids', () => {
    const at = '2026-01-06T10:00:00.000Z';
    const later = members.map((member) => ({ ...member, memberId: member.memberId + 10 }));
    const events = [
      added,
      { type: 'MembersAdded', data: { ...added.data, members: later, addedAt: at } },
      removed,
    ];
    const entries = [...foldAll(membershipLogs, events).values()];
    const orders = entries.map(({ id, occurredAt, listRevision }) => ({ id, occurredAt, listRevision }));
    expect(orders.slice(2)).toEqual([
      { id: 82, occurredAt: at, listRevision: 1 },
      { id: 84, occurredAt: at, listRevision: 1 },
      { id: 63, occurredAt: at, listRevision: 2 },
    ]);
    expect(membershipLogs.indexes['newestFirst']).toEqual([
      'workspaceId',
      'listId',
      'occurredAt',
      'listRevision',
      'id',
    ]);
  });
});
