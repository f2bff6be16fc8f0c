import { foldAll } from '#kernel/testing/project.js';
import { sampleList } from '#projections/testing/sample-events.js';
import { listKey, lists } from './lists.projection.js';

const now = '2026-01-05T10:00:00.000Z';
const created = (list: Parameters<typeof sampleList>[0] = {}) => ({
  type: 'ListCreated',
  data: sampleList({ tier: 1, personaIds: [4], ...list }),
});
const happened = (type: string, data: object = {}) => ({ type, data: { listId: 12, ...data } });
const after = (...events: { type: string; data: object }[]) =>
  foldAll(lists, [created(), ...events]).get(listKey(1, 12));

describe('the lists read model', () => {
  it('LST-01 LST-06 LST-07 shows a new list, empty', () => {
    expect(after()).toEqual({
      id: 12,
      kind: 'company',
      type: 'customer',
      name: 'Key customers',
      description: null,
      tier: 1,
      default_tracking_status: 'followed',
      default_signal_bucket: 'bucket_1',
      member_count: 0,
      bound_agent_count: 0,
      archived_at: null,
      persona_ids: [4],
      workspaceId: 1,
      archived: false,
      membershipChanges: 0,
      signal_buckets: null,
      monitoringRevision: null,
      deleted: false,
    });
  });

  it('MON-26 shows whether its members are monitored, and since which revision', () => {
    const set = (buckets: unknown) => happened('ListMonitoringSet', { buckets });
    expect(after(set(['essential']))).toMatchObject({
      signal_buckets: ['essential'],
      monitoringRevision: 1,
    });
    expect(after(set(['essential']), set(null))).toMatchObject({
      signal_buckets: null,
      monitoringRevision: 2,
    });
  });

  it('LST-02 derives the kind from the type', () => {
    const types = [
      ...(['competitor', 'partner', 'customer', 'prospect'] as const),
      ...(['influencer', 'champion', 'employee'] as const),
    ];
    const kinds = types.map((type) => foldAll(lists, [created({ type })]).get(listKey(1, 12))?.kind);
    expect(kinds).toEqual(['company', 'company', 'company', 'company', 'profile', 'profile', 'profile']);
  });

  it('LST-50 applies each change separately', () => {
    const change = (changes: object) => after(happened('ListChanged', { changes }));
    expect(change({ name: 'Best' })).toEqual({ ...after(), name: 'Best' });
    expect(change({ description: 'x' })).toEqual({ ...after(), description: 'x' });
    expect(change({ defaultTrackingStatus: 'unfollowed' })).toEqual({
      ...after(),
      default_tracking_status: 'unfollowed',
    });
    expect(change({ personaIds: [] })).toEqual({ ...after(), persona_ids: [] });
  });

  it('LST-51 LST-56 applies archiving, deletion and restoration', () => {
    const archived = happened('ListArchived', { archivedAt: now });
    const deleted = happened('ListDeleted', { deletedAt: now });
    expect(after(archived)).toEqual({ ...after(), archived: true, archived_at: now });
    expect(after(archived, happened('ListUnarchived'))).toEqual(after());
    expect(after(archived, deleted)).toEqual({ ...after(archived), deleted: true });
    expect(after(archived, deleted, happened('ListRestored'))).toEqual(after(archived));
  });

  it('LST-08 MEM-28 counts added and removed members', () => {
    const members = (...ids: number[]) => ids.map((memberId) => ({ memberId }));
    const joined = happened('MembersAdded', { members: members(31, 32, 33) });
    const left = happened('MembersRemoved', { members: members(32) });
    expect(after(joined)).toEqual({ ...after(), member_count: 3, membershipChanges: 3 });
    expect(after(joined, left)).toEqual({ ...after(), member_count: 2, membershipChanges: 4 });
  });

  it('LST-05 applies the tier of a converted segment', () => {
    expect(after(happened('ListTierAssigned', { tier: 2 }))).toEqual({ ...after(), tier: 2 });
  });

  it('AG-10 OP-32 counts the agents that are bound to a list', () => {
    const bound = (listId: number, replacedListId: number | null) => ({
      type: 'AgentBound',
      data: { agentId: 7, type: 'customer', listId, listKind: 'company', replacedListId },
    });
    const count = (...events: { type: string; data: object }[]) => after(...events)?.bound_agent_count;
    expect(count(bound(12, null))).toBe(1);
    expect(count(bound(12, null), bound(13, 12))).toBe(0);
    expect(count(bound(13, null), bound(12, 13))).toBe(1);
    const unbound = { type: 'AgentUnbound', data: { agentId: 7, listId: 12, type: 'unconfigured' } };
    expect(count(bound(12, null), unbound)).toBe(0);
    const deleted = (listId: number | null) => ({ type: 'AgentDeleted', data: { agentId: 7, listId } });
    expect(count(bound(12, null), deleted(12))).toBe(0);
    expect(count(bound(12, null), deleted(null))).toBe(1);
  });
});
