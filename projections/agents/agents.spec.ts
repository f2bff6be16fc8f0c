import { describe, it } from 'node:test';
import { expect } from 'expect';
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
      schedulable: true,
      schedule: null,
      parameters: { tracking_keywords: ['crm'] },
      created_at: '2026-01-05T10:00:00.000Z',
      updated_at: '2026-01-05T10:00:00.000Z',
      workspaceId: 1,
    });
  });

  it('AG-73 follows its schedule and moves updated_at', () => {
    const on = foldAll(agents, [created, schedule('agent')]).get(agentKey(1, 7));
    expect(on).toMatchObject({ schedule: { cadence: 'weekly' }, updated_at: '2026-01-06T10:00:00.000Z' });
    const off = {
      type: 'ScheduleSwitchedOff',
      data: { ownerKind: 'agent', ownerId: 7, switchedOffAt: '2026-01-07T10:00:00.000Z' },
      ...at('2026-01-07T10:00:00.000Z'),
    };
    expect(foldAll(agents, [created, schedule('agent'), off]).get(agentKey(1, 7))?.schedule).toBeNull();
  });

  it('leaves the schedules of setups alone', () => {
    expect(foldAll(agents, [created, schedule('setup')]).get(agentKey(1, 7))?.schedule).toBeNull();
  });
});
