import { Refusal } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import { admitAgent, type AgentRequest } from './agent-admission.js';
import { agent, createAgent } from './agent.js';

const crm = { agentId: 7, type: 'keyword_post_search', name: 'CRM talk', parameters: {} };
const created = { type: 'AgentCreated', data: crm } as const;

describe('an agent', () => {
  it('is created once', () => {
    given(agent, []).when(createAgent(crm)).then([created]);
    given(agent, [created]).when(createAgent(crm)).then([]);
  });

  it('OP-17 counts its weekly schedule from the moment it was switched on', () => {
    const scheduleAnchorAt = '2026-01-05T10:00:00.000Z';
    given(agent, [])
      .when(createAgent({ ...crm, scheduleAnchorAt }))
      .then([
        created,
        {
          type: 'ScheduleSwitchedOn',
          data: { ownerKind: 'agent', ownerId: 7, cadence: 'weekly', anchorAt: scheduleAnchorAt },
        },
      ]);
  });
});

describe('admission of a new agent', () => {
  const request: AgentRequest = {
    type: 'keyword_post_search',
    name: null,
    parameters: { tracking_keywords: ['crm'] },
    watchlistKind: null,
    watchlistId: null,
    weekly: false,
    isDetected: true,
  };
  const faults = (change: Partial<AgentRequest>): readonly string[] => {
    try {
      admitAgent({ ...request, ...change });
    } catch (error) {
      if (error instanceof Refusal) return [...(error.details.errors?.keys() ?? [])];
      throw error;
    }
    return [];
  };

  it('names the agent like its type and keeps the parameters that are known', () => {
    const parameters = { tracking_keywords: ['CRM', 'crm'], start_date: null, colour: 'red' };
    expect(admitAgent({ ...request, parameters })).toEqual({
      type: 'keyword_post_search',
      name: 'Keyword post search',
      parameters: { tracking_keywords: ['CRM', 'crm'] },
    });
  });

  it('OP-69 refuses a keyword that could never match', () => {
    expect(faults({ parameters: { tracking_keywords: ['crm', '\u200b'] } })).toEqual([
      'parameters.tracking_keywords',
    ]);
  });

  it('OP-71 refuses types that this version does not detect', () => {
    for (const type of ['job_update', 'champion_tracking', 'competitor', 'champion'] as const)
      expect([type, faults({ type, parameters: {}, isDetected: false })]).toEqual([type, ['type']]);
  });

  it('AG-12 AG-14 knows the parameters of each keyword type', () => {
    const all = { tracking_keywords: ['crm'], start_date: '2026-01-01', max_posts_to_scrape: 5 };
    expect(faults({ type: 'keyword_detection', parameters: all })).toEqual([]);
    expect(faults({ type: 'job_posting_keyword_detection', parameters: all })).toEqual([
      'parameters.start_date',
    ]);
  });

  it('AG-09 takes an unconfigured agent without parameters and without a list', () => {
    const type = 'unconfigured';
    expect(admitAgent({ ...request, type, parameters: {} })).toEqual({
      type,
      name: 'Unconfigured',
      parameters: {},
    });
    expect(faults({ type })).toEqual(['parameters.tracking_keywords']);
    expect(faults({ type, parameters: {}, watchlistId: 3 })).toEqual(['watchlist_id']);
  });

  it('AG-75 gives a schedule only to those that work when they are launched', () => {
    expect(faults({ weekly: true })).toEqual([]);
    expect(faults({ type: 'keyword_detection', weekly: true })).toEqual(['schedule']);
    expect(faults({ type: 'unconfigured', parameters: {}, weekly: true })).toEqual(['schedule']);
  });

  it('OP-31 names all faults at once', () => {
    expect(faults({ parameters: { mode: 'all', target_group: 'customers' }, watchlistId: 3 })).toEqual([
      'parameters.tracking_keywords',
      'parameters.mode',
      'parameters.target_group',
      'watchlist_id',
    ]);
    expect(faults({ watchlistKind: 'company' })).toEqual(['watchlist_kind']);
  });
});
