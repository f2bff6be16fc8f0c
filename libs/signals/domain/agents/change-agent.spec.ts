import { credits } from '#kernel/values/credits.js';
import { Refusal } from '#kernel/values/refusal.js';
import { given, history, stateAfter } from '#kernel/testing/scenario.js';
import { sampleLaunch } from '#projections/testing/sample-events.js';
import { agent, deleteAgent, launchAgent, tickAgent, unknownAgent } from './agent.js';
import type { WatchableList } from './agent-binding.js';
import { changeAgent, type AgentPatch, type ChangeAgentInput } from './change-agent.js';
import { inheritedTitles, titlesOfGroup } from './target-persona.js';

const NOW = '2026-01-05T10:00:00.000Z';
type Happened = Parameters<
  typeof given<ReturnType<typeof agent.initial>, typeof agent.vocabulary>
>[1][number];

const created = (type: string, parameters = {}): Happened => ({
  type: 'AgentCreated',
  data: { agentId: 7, type, name: 'Talk', parameters },
});
const search = created('keyword_post_search', { tracking_keywords: ['crm'], start_date: '2026-01-01' });
const blank = created('unconfigured');
const bound: Happened = {
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
const scheduled: Happened = {
  type: 'ScheduleSwitchedOn',
  data: { ownerKind: 'agent', ownerId: 7, cadence: 'weekly', anchorAt: NOW },
};
const switchedOff: Happened = {
  type: 'ScheduleSwitchedOff',
  data: { ownerKind: 'agent', ownerId: 7, switchedOffAt: NOW },
};
const deleted: Happened = { type: 'AgentDeleted', data: { agentId: 7, listId: null } };
const changed = (changes: object): Happened => ({ type: 'AgentChanged', data: { agentId: 7, changes } });
const competitor = [blank, bound];
const discovering = [...competitor, changed({ parameters: { mode: 'lead_discovery' } })];

const rivals: WatchableList = { type: 'competitor', kind: 'company', archived: false };
const change = (patch: AgentPatch, facts: Partial<ChangeAgentInput> = {}) =>
  changeAgent({
    agentId: 7,
    patch,
    shapeFaults: new Map(),
    list: null,
    personaTitles: [],
    priceOf: () => credits(10),
    now: NOW,
    ...facts,
  });

const changing = (past: readonly Happened[], ...asked: Parameters<typeof change>) =>
  given(agent, past).when(change(...asked));
const changesOf = (past: readonly Happened[], ...asked: Parameters<typeof change>) =>
  change(...asked)(stateAfter(agent, history(agent, past)));

/** Fields with a fault. */
function faults(past: readonly Happened[], patch: AgentPatch, facts: Partial<ChangeAgentInput> = {}) {
  try {
    changesOf(past, patch, facts);
  } catch (error) {
    if (error instanceof Refusal) return [...(error.details.errors?.keys() ?? [])].sort();
    throw error;
  }
  return [];
}

describe('a change of an agent', () => {
  it('AG-50 records changes, and no value that stays the same', () => {
    changing([search], {
      name: 'Talk',
      enabled: false,
      parameters: { tracking_keywords: ['crm', 'erp'] },
    }).then([changed({ enabled: false, parameters: { tracking_keywords: ['crm', 'erp'] } })]);
    changing([search], {
      name: 'Talk',
      enabled: true,
      parameters: { tracking_keywords: ['crm'] },
      schedule: null,
    }).then([]);
    changing([search], { parameters: {} }).then([]);
  });

  it('OP-33 merges parameters key by key; null removes a date, and unknown keys are ignored', () => {
    changing([search], { parameters: { start_date: null, max_posts_to_scrape: 9, colour: 'red' } }).then([
      changed({ parameters: { max_posts_to_scrape: 9 }, removedParameters: ['start_date'] }),
    ]);
    changing([search], { parameters: { max_posts_to_scrape: null } }).then([]);
  });

  it('is refused for an agent that never existed or is deleted', () => {
    changing([], { name: 'A' }).then(unknownAgent());
    changing([search, deleted], { name: 'A' }).then(unknownAgent());
    given(agent, [search, deleted]).when(deleteAgent(7)).then(unknownAgent());
  });

  it('OP-33 names all faults at once, including those of the form, and changes nothing', () => {
    const patch: AgentPatch = {
      name: 'New',
      parameters: { mode: 'some', job_titles: ['CTO'], tracking_keywords: ['\u200b'] },
      watchlistId: 12,
      schedule: null,
    };
    const shapeFaults = new Map([['enabled', ['must be true or false']]]);
    expect(faults([search], patch, { shapeFaults, list: rivals })).toEqual([
      'enabled',
      'parameters.job_titles',
      'parameters.mode',
      'parameters.tracking_keywords',
      'watchlist_id',
    ]);
  });

  it('AG-63 AG-64 keeps keyword parameters and those of competitors apart', () => {
    const both = { tracking_keywords: ['crm'], mode: 'all' };
    expect(faults([search], { parameters: both })).toEqual(['parameters.mode']);
    expect(faults(competitor, { parameters: both })).toEqual([
      'parameters.mode',
      'parameters.tracking_keywords',
    ]);
    expect(faults(competitor, { parameters: { target_group: 'all', start_date: null } })).toEqual([
      'parameters.start_date',
      'parameters.target_group',
    ]);
    expect(faults([created('job_posting_keyword_detection')], { parameters: { start_date: null } })).toEqual([
      'parameters.start_date',
    ]);
  });

  it('AG-60 AG-61 takes only known modes and target groups', () => {
    for (const wrong of ['some', null, 5]) {
      expect(faults(competitor, { parameters: { mode: wrong, target_group: wrong } })).toEqual([
        'parameters.mode',
        'parameters.target_group',
      ]);
    }
  });

  it('AG-59 AG-62 STM-04 takes mode and target group alone or together', () => {
    for (const parameters of [{ mode: 'lead_discovery' }, { mode: 'account_monitoring' }, { mode: 'all' }])
      changing(competitor, { parameters }).then([changed({ parameters })]);
    changing(competitor, { parameters: { mode: 'all', target_group: 'customers' } }).then([
      changed({
        parameters: { mode: 'all', target_group: 'customers' },
        resolvedTargetPersona: [...titlesOfGroup.customers],
      }),
    ]);
  });

  it('AG-22 OP-34 replaces the inherited titles permanently by those of the group', () => {
    for (const target_group of ['prospects', 'customers', 'all'] as const) {
      changing(competitor, { parameters: { target_group } }).then([
        changed({ parameters: { target_group }, resolvedTargetPersona: [...titlesOfGroup[target_group]] }),
      ]);
    }
    expect(titlesOfGroup.all).toEqual([...titlesOfGroup.prospects, ...titlesOfGroup.customers]);
  });
});

describe('the binding of an agent to a list', () => {
  it('AG-72 STM-02 gives an unconfigured agent its type', () => {
    for (const type of ['competitor', 'partner', 'customer', 'influencer', 'champion']) {
      const kind = type === 'influencer' || type === 'champion' ? 'profile' : 'company';
      const [event] = changesOf([blank], { watchlistId: 12 }, { list: { type, kind, archived: false } });
      expect(event).toMatchObject({
        type: 'AgentBound',
        data: { type, listId: 12, listKind: kind, replacedListId: null },
      });
    }
    for (const type of ['prospect', 'employee']) {
      const list: WatchableList = { type, kind: 'company', archived: false };
      expect([type, faults([blank], { watchlistId: 12 }, { list })]).toEqual([type, ['watchlist_id']]);
    }
  });

  it('AG-21 OP-34 lets a competitor agent inherit the titles of the active personas, or all titles', () => {
    const titlesAfter = (personaTitles: readonly string[]) =>
      changesOf([blank], { watchlistId: 12 }, { list: rivals, personaTitles }).map(({ data }) =>
        'resolvedTargetPersona' in data ? data.resolvedTargetPersona : null,
      );
    expect(titlesAfter(['CTO', 'CEO', 'CTO'])).toEqual([['CTO', 'CEO']]);
    expect(titlesAfter([])).toEqual([inheritedTitles([])]);
    expect(inheritedTitles([])).toEqual(titlesOfGroup.all);
  });

  it('takes parameters of the new type in the same request', () => {
    changing([blank], { watchlistId: 12, parameters: { mode: 'all' }, schedule: {} }, { list: rivals }).then([
      { ...bound, data: { ...bound.data, resolvedTargetPersona: [...titlesOfGroup.all] } },
      changed({ parameters: { mode: 'all' } }),
      scheduled,
    ]);
  });

  it('AG-10 OP-33 is replaced only by a list of the same type; the same list again changes nothing', () => {
    changing(competitor, { watchlistId: 12 }).then([]);
    changing(competitor, { watchlistId: 13, watchlistKind: 'company' }, { list: rivals }).then([
      {
        type: 'AgentBound',
        data: { agentId: 7, type: 'competitor', listId: 13, listKind: 'company', replacedListId: 12 },
      },
    ]);
    const partners: WatchableList = { ...rivals, type: 'partner' };
    expect(faults(competitor, { watchlistId: 13 }, { list: partners })).toEqual(['watchlist_id']);
  });

  it('is refused with a list that is unknown, archived, or of an unsuitable type', () => {
    expect(faults([blank], { watchlistId: 12 })).toEqual(['watchlist_id']);
    expect(faults([blank], { watchlistId: 12 }, { list: { ...rivals, archived: true } })).toEqual([
      'watchlist_id',
    ]);
    for (const type of ['keyword_detection', 'keyword_post_search', 'job_update'])
      expect(faults([created(type)], { watchlistId: 12 }, { list: rivals })).toEqual(['watchlist_id']);
    const champions: WatchableList = { type: 'champion', kind: 'profile', archived: false };
    expect(faults([created('champion_tracking')], { watchlistId: 12 }, { list: champions })).toEqual([]);
    expect(faults([created('champion_tracking')], { watchlistId: 12 }, { list: rivals })).toEqual([
      'watchlist_id',
    ]);
  });

  it('AG-66 AG-68 AG-69 AG-70 has the kind of its list', () => {
    const list = rivals;
    expect(faults([blank], { watchlistId: 12, watchlistKind: 'company' }, { list })).toEqual([]);
    expect(faults([blank], { watchlistId: 12, watchlistKind: 'profile' }, { list })).toEqual([
      'watchlist_kind',
    ]);
    expect(faults([blank], { watchlistId: 12, watchlistKind: null }, { list })).toEqual(['watchlist_kind']);
    expect(faults(competitor, { watchlistId: 12, watchlistKind: 'profile' })).toEqual(['watchlist_kind']);
    for (const watchlistKind of ['company', 'profile', null] as const)
      expect(faults(competitor, { watchlistKind })).toEqual(['watchlist_kind']);
    expect(faults(competitor, { watchlistId: null, watchlistKind: 'company' })).toEqual(['watchlist_kind']);
    expect(faults(competitor, { watchlistId: null, watchlistKind: null })).toEqual([]);
  });

  it('AG-67 AG-71 is removed with null, together with the type and the schedule', () => {
    changing([...discovering, scheduled], { watchlistId: null }).then([
      { type: 'AgentUnbound', data: { agentId: 7, listId: 12, type: 'unconfigured' } },
      switchedOff,
    ]);
    changing([search], { watchlistId: null }).then([]);
  });

  it('OP-33 keeps the type of a champion tracking agent when it is removed', () => {
    const tracking: Happened = {
      type: 'AgentBound',
      data: { agentId: 7, type: 'champion_tracking', listId: 12, listKind: 'profile', replacedListId: null },
    };
    changing([created('champion_tracking'), tracking], { watchlistId: null }).then([
      { type: 'AgentUnbound', data: { agentId: 7, listId: 12, type: 'champion_tracking' } },
    ]);
  });

  it('OP-32 is recorded as removed when the agent is deleted', () => {
    given(agent, competitor)
      .when(deleteAgent(7))
      .then([{ type: 'AgentDeleted', data: { agentId: 7, listId: 12 } }]);
  });
});

describe('the schedule of an agent', () => {
  it('AG-73 STM-03 OP-17 is switched on and off; sent again it keeps its anchor', () => {
    changing([search], { schedule: {} }).then([scheduled]);
    changing([search, scheduled], { schedule: {} }).then([]);
    changing([search, scheduled], { schedule: null }).then([switchedOff]);
    changing([search], { schedule: null }).then([]);
  });

  it('QUO-02 has a launch limit, which is set, changed, kept and removed while it is on', () => {
    const limited = (maxCredits: string | null): Happened => ({
      type: 'ScheduleLimitSet',
      data: { ownerKind: 'agent', ownerId: 7, maxCredits },
    });
    const fifty = { schedule: { maxCredits: credits(50) } };
    changing([search], fifty).then([scheduled, limited('50000000')]);
    changing([search, scheduled], fifty).then([limited('50000000')]);
    const set = [search, scheduled, limited('50000000')];
    changing(set, fifty).then([]);
    changing(set, { schedule: {} }).then([]);
    changing(set, { name: 'CRM' }).then([changed({ name: 'CRM' })]);
    changing(set, { schedule: { maxCredits: credits(20) } }).then([limited('20000000')]);
    changing(set, { schedule: { maxCredits: null } }).then([limited(null)]);
    // The limit is removed with the schedule.
    changing([...set, switchedOff], { schedule: {} }).then([scheduled]);
    expect(faults([search], { schedule: { maxCredits: credits(9) } })).toEqual(['schedule.max_credits']);
  });

  it('AG-75 C-17 is refused for agents that run by themselves; null is not', () => {
    for (const past of [[created('keyword_detection')], [blank], competitor]) {
      expect(faults(past, { schedule: {} })).toEqual(['schedule']);
      expect(faults(past, { schedule: null })).toEqual([]);
    }
  });

  it('AG-05 OP-33 is checked with the mode after the request', () => {
    changing(competitor, { parameters: { mode: 'all' }, schedule: {} }).then([
      changed({ parameters: { mode: 'all' } }),
      scheduled,
    ]);
    expect(faults(discovering, { parameters: { mode: 'account_monitoring' }, schedule: {} })).toEqual([
      'schedule',
    ]);
    changing([...discovering, scheduled], { parameters: { mode: 'account_monitoring' } }).then([
      changed({ parameters: { mode: 'account_monitoring' } }),
      switchedOff,
    ]);
  });

  it('AG-76 is not switched on by a request that disables the agent; disabling alone keeps it', () => {
    expect(faults([search], { enabled: false, schedule: {} })).toEqual(['schedule']);
    changing([search, scheduled], { enabled: false }).then([changed({ enabled: false })]);
    changing([search, scheduled], { enabled: false, schedule: null }).then([
      changed({ enabled: false }),
      switchedOff,
    ]);
  });

  it('launches nothing once the agent is deleted', () => {
    const launch = sampleLaunch({
      trigger: 'schedule',
      lookbackDays: 7,
      unitPrice: '0',
      detectorKind: 'keyword_post',
      parameters: {},
    });
    const dueAt = '2026-01-12T10:00:00.000Z';
    const tick = { ownerKind: 'agent', ownerId: 7, dueAt, launch, isBilled: true } as const;
    expect(tickAgent(tick)(stateAfter(agent, history(agent, [search, scheduled])))).toHaveLength(2);
    given(agent, [search, scheduled, deleted]).when(tickAgent(tick)).then([]);
    given(agent, [search, deleted]).when(launchAgent(launch)).then(unknownAgent());
  });
});
