import { credits } from '#kernel/values/credits.js';
import { Refusal } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import { admitAgent, type AgentRequest } from './agent-admission.js';
import { agent } from './agent.js';
import { createAgent } from './create-agent.js';

const crm = { agentId: 7, type: 'keyword_post_search', name: 'CRM talk', parameters: {} };
const created = { type: 'AgentCreated', data: crm } as const;

const creating = (input: Parameters<typeof createAgent>[0]) => given(agent, []).when(createAgent(input));

describe('an agent', () => {
  it('is created once', () => {
    creating(crm).then([created]);
    given(agent, [created]).when(createAgent(crm)).then([]);
  });

  it('OPS-16 is imported once from an earlier system, with its known members', () => {
    const legacy = { legacyId: 'a-1', enabled: false, createdAt: '2024-02-03T00:00:00.000Z' };
    const imported = { type: 'LegacyAgentImported', data: { ...crm, ...legacy } } as const;
    creating({ ...crm, legacy }).then([imported]);
    given(agent, [imported])
      .when(createAgent({ ...crm, legacy }))
      .then([]);
  });

  it('OP-17 counts its weekly schedule from the moment it was switched on', () => {
    const anchorAt = '2026-01-05T10:00:00.000Z';
    creating({ ...crm, schedule: { anchorAt } }).then([
      created,
      { type: 'ScheduleSwitchedOn', data: { ownerKind: 'agent', ownerId: 7, cadence: 'weekly', anchorAt } },
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
    schedule: null,
    priceOf: () => credits(10),
    isDetected: true,
    list: null,
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

  it('names the agent like its type and keeps known parameters', () => {
    const parameters = { tracking_keywords: ['CRM', 'crm'], start_date: null, colour: 'red' };
    expect(admitAgent({ ...request, parameters })).toEqual({
      type: 'keyword_post_search',
      name: 'Keyword post search',
      parameters: { tracking_keywords: ['CRM', 'crm'] },
      watchlist: null,
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
      watchlist: null,
    });
    expect(faults({ type })).toEqual(['parameters.tracking_keywords']);
    expect(faults({ type, parameters: {}, watchlistId: 3 })).toEqual(['watchlist_id']);
  });

  it('AG-75 takes a schedule only for agents that run when they are launched', () => {
    expect(faults({ schedule: {} })).toEqual([]);
    expect(faults({ type: 'keyword_detection', schedule: {} })).toEqual(['schedule']);
    expect(faults({ type: 'unconfigured', parameters: {}, schedule: {} })).toEqual(['schedule']);
  });

  it('QUO-02 takes a launch limit that covers one signal, and no lower one', () => {
    expect(faults({ schedule: { maxCredits: credits(10) } })).toEqual([]);
    expect(faults({ schedule: { maxCredits: null } })).toEqual([]);
    expect(faults({ schedule: { maxCredits: credits(10) - 1n } })).toEqual(['schedule.max_credits']);
    // If signals are free or have no price yet there is nothing to cover.
    expect(faults({ schedule: { maxCredits: 0n }, priceOf: () => 0n })).toEqual([]);
    expect(faults({ schedule: { maxCredits: 0n }, priceOf: () => null })).toEqual([]);
  });

  it('OP-31 names all faults at once', () => {
    expect(faults({ parameters: { mode: 'all', target_group: 'customers' }, watchlistId: 3 })).toEqual([
      'parameters.tracking_keywords',
      'parameters.mode',
      'parameters.target_group',
      'watchlist_kind',
      'watchlist_id',
    ]);
    expect(faults({ watchlistKind: 'company' })).toEqual(['watchlist_kind']);
  });

  it('AG-42 OP-31 takes the list of a watching agent, of its own type alone', () => {
    const rivals = { type: 'competitor', kind: 'company', archived: false } as const;
    const competitor = {
      type: 'competitor',
      parameters: {},
      watchlistKind: undefined,
      list: rivals,
    } as const;
    const watchlist = { id: 12, kind: 'company' };
    expect(admitAgent({ ...request, ...competitor, watchlistId: 12 })).toMatchObject({ watchlist });
    expect(faults({ ...competitor, watchlistId: 12, watchlistKind: 'company' })).toEqual([]);
    expect(faults({ ...competitor, watchlistId: 12, watchlistKind: 'profile' })).toEqual(['watchlist_kind']);
    expect(faults({ ...competitor, type: 'partner', watchlistId: 12 })).toEqual(['watchlist_id']);
    expect(faults({ ...competitor, watchlistId: 12, list: { ...rivals, archived: true } })).toEqual([
      'watchlist_id',
    ]);
    expect(faults({ ...competitor, watchlistId: 12, list: null })).toEqual(['watchlist_id']);
    expect(faults({ ...competitor, type: 'job_update', watchlistId: 12 })).toEqual(['watchlist_id']);
  });

  it('AG-16 AG-20 AG-41 refuses parameters for types that take none at creation', () => {
    for (const type of ['champion_tracking', 'partner', 'customer', 'influencer', 'champion'] as const) {
      const faultsOf = (parameters: AgentRequest['parameters']) => faults({ type, parameters });
      expect([type, faultsOf({}), faultsOf({ colour: 'red' })]).toEqual([type, [], ['parameters.colour']]);
    }
    const roles = { author_roles: ['CTO'] };
    expect(faults({ type: 'champion_tracking', parameters: roles })).toEqual(['parameters.author_roles']);
    expect(faults({ type: 'job_update', parameters: roles })).toEqual([]);
  });

  it('AG-75 takes a schedule for a competitor only with a list and a mode that discovers', () => {
    const list = { type: 'competitor', kind: 'company', archived: false } as const;
    const competitor = { type: 'competitor', watchlistKind: undefined, schedule: {}, list } as const;
    const scheduled = (mode: string, watchlistId: number | null) =>
      faults({ ...competitor, parameters: { mode }, watchlistId });
    expect(scheduled('all', 12)).toEqual([]);
    expect(scheduled('account_monitoring', 12)).toEqual(['schedule']);
    expect(scheduled('all', null)).toEqual(['schedule']);
    expect(scheduled('some', 12)).toEqual(['parameters.mode', 'schedule']);
  });
});

describe('a new agent whose type depends on its list', () => {
  const input = { agentId: 7, type: 'competitor', name: 'Rivals', parameters: { mode: 'all' } };
  const born = {
    type: 'AgentCreated',
    data: { agentId: 7, type: 'unconfigured', name: 'Rivals', parameters: {} },
  } as const;
  const watchlist = { id: 12, kind: 'company' } as const;

  it('OP-31 is without a type and without parameters as long as it has no list', () => {
    creating(input).then([born]);
  });

  it('AG-42 OP-34 is bound at once, with its parameters and titles', () => {
    const watching = { ...input, watchlist, personaTitles: ['CTO'] };
    const bound = {
      type: 'AgentBound' as const,
      data: {
        agentId: 7,
        type: 'competitor',
        listId: 12,
        listKind: 'company' as const,
        replacedListId: null,
        resolvedTargetPersona: ['CTO'],
      },
    };
    const changes = { parameters: { mode: 'all' } };
    creating(watching).then([born, bound, { type: 'AgentChanged', data: { agentId: 7, changes } }]);
    creating({ ...watching, parameters: {} }).then([born, bound]);
  });
});
