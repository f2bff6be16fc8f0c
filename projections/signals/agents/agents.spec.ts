import { foldAll } from '#kernel/testing/project.js';
import { agentKey, agents } from './agents.projection.js';

const created = {
  type: 'AgentCreated',
  data: {
    agentId: 7,
    type: 'keyword_post_search',
    name: 'CRM talk',
    parameters: { tracking_keywords: ['crm'] },
  },
};
const at = (recordedAt: string) => ({ metadata: { workspaceId: '1', recordedAt } });
const schedule = (ownerKind: 'agent' | 'setup') => ({
  type: 'ScheduleSwitchedOn',
  data: { ownerKind, ownerId: 7, cadence: 'weekly', anchorAt: '2026-01-06T10:00:00.000Z' },
  ...at('2026-01-06T10:00:00.000Z'),
});

describe('the agents read model', () => {
  it('AG-11 shows a new agent enabled, unscheduled, with its parameters as sent', () => {
    expect(foldAll(agents, [created]).get(agentKey(1, 7))).toEqual({
      id: 7,
      name: 'CRM talk',
      type: 'keyword_post_search',
      enabled: true,
      schedule: null,
      parameters: { tracking_keywords: ['crm'] },
      watchlist_kind: null,
      watchlist_id: null,
      created_at: '2026-01-05T10:00:00.000Z',
      updated_at: '2026-01-05T10:00:00.000Z',
      workspaceId: 1,
      resolvedTargetPersona: null,
    });
  });

  it('AG-73 follows its schedule and updates updated_at', () => {
    const on = foldAll(agents, [created, schedule('agent')]).get(agentKey(1, 7));
    expect(on).toMatchObject({ schedule: { cadence: 'weekly' }, updated_at: '2026-01-06T10:00:00.000Z' });
    const off = {
      type: 'ScheduleSwitchedOff',
      data: { ownerKind: 'agent', ownerId: 7, switchedOffAt: '2026-01-07T10:00:00.000Z' },
      ...at('2026-01-07T10:00:00.000Z'),
    };
    expect(foldAll(agents, [created, schedule('agent'), off]).get(agentKey(1, 7))?.schedule).toBeNull();
  });

  it('QUO-02 shows the launch limit while the schedule has one', () => {
    const limit = (maxCredits: string | null) => ({
      type: 'ScheduleLimitSet',
      data: { ownerKind: 'agent', ownerId: 7, maxCredits },
      ...at('2026-01-07T10:00:00.000Z'),
    });
    const on = [created, schedule('agent'), limit('50000000')];
    const after = (...more: readonly ReturnType<typeof limit>[]) =>
      foldAll(agents, [...on, ...more]).get(agentKey(1, 7));
    expect(after()).toMatchObject({
      schedule: { cadence: 'weekly', maxCredits: '50000000' },
      updated_at: '2026-01-07T10:00:00.000Z',
    });
    expect(after(limit(null))?.schedule).toEqual({ cadence: 'weekly' });
  });

  it('ignores the schedules of setups', () => {
    expect(foldAll(agents, [created, schedule('setup')]).get(agentKey(1, 7))?.schedule).toBeNull();
  });

  const after = (...events: readonly { readonly type: string; readonly data: object }[]) =>
    foldAll(
      agents,
      [created, ...events].map((event) => ({ ...event, ...at('2026-01-08T10:00:00.000Z') })),
    ).get(agentKey(1, 7));
  const bound = {
    type: 'AgentBound',
    data: {
      agentId: 7,
      type: 'competitor',
      listId: 12,
      listKind: 'company',
      replacedListId: null,
      resolvedTargetPersona: ['Head of Sales'],
    },
  };
  const changed = (changes: object) => ({ type: 'AgentChanged', data: { agentId: 7, changes } });

  it('AG-50 merges changes, key by key, and updates updated_at', () => {
    const parameters = { start_date: '2026-01-01' };
    const agent = after(
      changed({ name: 'Talk', enabled: false, parameters }),
      changed({ removedParameters: ['tracking_keywords'] }),
    );
    expect(agent).toMatchObject({
      name: 'Talk',
      enabled: false,
      updated_at: '2026-01-08T10:00:00.000Z',
    });
    expect(agent?.parameters).toEqual(parameters);
  });

  it('AG-08 AG-71 shows the list it watches; without it the type, the parameters and the titles are removed', () => {
    const target = changed({ parameters: { target_group: 'all' }, resolvedTargetPersona: ['CEO'] });
    expect(after(bound, target)).toMatchObject({
      type: 'competitor',
      watchlist_kind: 'company',
      watchlist_id: 12,
      resolvedTargetPersona: ['CEO'],
    });
    const unbound = { type: 'AgentUnbound', data: { agentId: 7, listId: 12, type: 'unconfigured' } };
    expect(after(bound, target, unbound)).toMatchObject({
      type: 'unconfigured',
      parameters: {},
      watchlist_kind: null,
      watchlist_id: null,
      resolvedTargetPersona: null,
    });
  });

  it('keeps the type of an agent that does not depend on its list', () => {
    const unbound = { type: 'AgentUnbound', data: { agentId: 7, listId: 12, type: 'competitor' } };
    expect(after(bound, changed({ parameters: { mode: 'all' } }), unbound)).toMatchObject({
      type: 'competitor',
      parameters: { tracking_keywords: ['crm'], mode: 'all' },
      resolvedTargetPersona: ['Head of Sales'],
    });
  });

  it('AG-44 deletes the document of a deleted agent', () => {
    expect(after({ type: 'AgentDeleted', data: { agentId: 7, listId: null } })).toBeUndefined();
  });
});
