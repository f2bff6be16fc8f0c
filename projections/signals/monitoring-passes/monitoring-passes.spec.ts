import { workspaceScoped } from '#kernel/commands/decider.js';
import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { sampleLaunch, sampleSetup } from '#projections/testing/sample-events.js';
import { monitoringPasses } from './monitoring-passes.projection.js';

const CREATED = '2026-01-05T10:00:00.000Z';
const at = (recordedAt: string) => ({ metadata: { workspaceId: '1', recordedAt } });
const agent = (type: string, parameters: object = {}) => ({
  type: 'AgentCreated',
  data: { agentId: 7, type, name: 'Agent', parameters },
  ...at(CREATED),
});
const changed = (changes: object, recordedAt: string) => ({
  type: 'AgentChanged',
  data: { agentId: 7, changes },
  ...at(recordedAt),
});
const passOf = (...events: readonly HappenedEvent[]) =>
  foldAll(monitoringPasses, events).get(workspaceScoped(1, 7));

describe('the due times of daily passes', () => {
  it('OP-38 LIV-04 begin a day after an agent was created, and repeat every day', () => {
    const created = agent('keyword_detection', { tracking_keywords: ['crm'] });
    expect(passOf(created)).toMatchObject({ anchorAt: CREATED, dueAt: '2026-01-06T10:00:00.000Z' });
    const launched = {
      type: 'RunLaunched',
      data: sampleLaunch({ trigger: 'monitoring', now: '2026-01-06T10:00:03.000Z' }),
    };
    expect(passOf(created, launched)?.dueAt).toBe('2026-01-07T10:00:00.000Z');
    const skipped = {
      type: 'MonitoringPassSkipped',
      data: { ownerKind: 'agent', ownerId: 7, dueAt: '2026-01-09T10:00:00.000Z', reason: 'already-running' },
    };
    expect(passOf(created, launched, skipped)?.dueAt).toBe('2026-01-10T10:00:00.000Z');
    const live = sampleLaunch({
      trigger: 'monitoring',
      now: '2026-01-06T11:00:00.000Z',
      live: { after: '2026-01-06T10:59:00.000Z' },
    });
    expect(passOf(created, { type: 'RunLaunched', data: live })?.dueAt).toBe('2026-01-06T10:00:00.000Z');
    const byHand = { type: 'RunLaunched', data: sampleLaunch({ now: '2026-01-06T09:00:00.000Z' }) };
    expect(passOf(created, byHand)?.dueAt).toBe('2026-01-06T10:00:00.000Z');
  });

  it('OPS-16 begin at the import of an agent, and not for one that was imported disabled', () => {
    const imported = (isEnabled: boolean) => ({
      type: 'LegacyAgentImported',
      data: {
        ...agent('keyword_detection').data,
        legacyId: 'a-1',
        enabled: isEnabled,
        createdAt: '2024-02-03T00:00:00.000Z',
      },
      ...at(CREATED),
    });
    expect(passOf(imported(true))).toMatchObject({ anchorAt: CREATED, dueAt: '2026-01-06T10:00:00.000Z' });
    expect(passOf(imported(false))).toMatchObject({ enabled: false, dueAt: null });
    const enabled = changed({ enabled: true }, '2026-01-08T12:00:00.000Z');
    expect(passOf(imported(false), enabled)?.dueAt).toBe('2026-01-09T12:00:00.000Z');
  });

  it('D-31 exclude agents that run only when they are launched, and agents without a type', () => {
    expect(passOf(agent('keyword_post_search'))?.dueAt).toBeNull();
    expect(passOf(agent('unconfigured'))?.dueAt).toBeNull();
    expect(passOf(agent('competitor', { mode: 'lead_discovery' }))?.dueAt).toBeNull();
    expect(passOf(agent('competitor', { mode: 'all' }))?.dueAt).not.toBeNull();
    expect(passOf(agent('of-a-newer-version'))?.dueAt).toBeNull();
  });

  it('AG-80 follow the mode and the type of an agent', () => {
    const bound = {
      type: 'AgentBound',
      data: { agentId: 7, type: 'competitor', listId: 12, listKind: 'company', replacedListId: null },
      ...at('2026-01-08T12:00:00.000Z'),
    };
    const [created, next] = [agent('unconfigured'), '2026-01-09T10:00:00.000Z'];
    expect(passOf(created, bound)?.dueAt).toBe(next);
    const discovers = changed({ parameters: { mode: 'lead_discovery' } }, '2026-01-08T13:00:00.000Z');
    expect(passOf(created, bound, discovers)?.dueAt).toBeNull();
    const both = changed({ parameters: { mode: 'all' } }, '2026-01-08T14:00:00.000Z');
    expect(passOf(created, bound, discovers, both)?.dueAt).toBe(next);
    const undone = { type: 'AgentUnbound', data: { agentId: 7, listId: 12, type: 'unconfigured' } };
    expect(passOf(created, bound, both, { ...undone, ...at('2026-01-08T15:00:00.000Z') })?.dueAt).toBeNull();
  });

  it('pause while an agent is disabled, and are counted from the enabling afterwards', () => {
    const created = agent('keyword_detection');
    const off = changed({ enabled: false }, '2026-01-06T00:00:00.000Z');
    expect(passOf(created, off)?.dueAt).toBeNull();
    const on = changed({ enabled: true }, '2026-02-01T09:30:00.000Z');
    expect(passOf(created, off, on)).toMatchObject({
      anchorAt: '2026-02-01T09:30:00.000Z',
      dueAt: '2026-02-02T09:30:00.000Z',
    });
    expect(passOf(created, { type: 'AgentDeleted', data: { agentId: 7, listId: null } })).toBeUndefined();
  });

  it('OP-17 wait for a weekly run that falls due within an hour after them', () => {
    const created = agent('competitor', { mode: 'all' });
    const owner = { ownerKind: 'agent', ownerId: 7 };
    const on = (anchorAt: string) => ({
      type: 'ScheduleSwitchedOn',
      data: { ...owner, cadence: 'weekly', anchorAt },
    });
    const skipped = (dueAt: string) => ({
      type: 'MonitoringPassSkipped',
      data: { ...owner, dueAt, reason: 'already-running' },
    });
    const dueAfterWeek = (...events: readonly HappenedEvent[]) =>
      passOf(created, ...events, skipped('2026-01-11T10:00:00.000Z'))?.dueAt;
    const onTime = '2026-01-12T10:00:00.000Z';
    expect(dueAfterWeek(on(CREATED))).toBe(onTime);
    expect(dueAfterWeek(on('2026-01-05T10:00:00.040Z'))).toBe('2026-01-12T10:00:00.040Z');
    expect(dueAfterWeek(on('2026-01-05T11:00:00.000Z'))).toBe('2026-01-12T11:00:00.000Z');
    expect(dueAfterWeek(on('2026-01-05T11:00:00.001Z'))).toBe(onTime);
    expect(dueAfterWeek(on('2026-01-05T09:59:59.000Z'))).toBe(onTime);
    const soon = on('2026-01-05T10:30:00.000Z');
    const next = skipped('2026-01-12T10:00:00.000Z');
    expect(passOf(created, soon, next)?.dueAt).toBe('2026-01-13T10:00:00.000Z');
    const off = {
      type: 'ScheduleSwitchedOff',
      data: { ...owner, switchedOffAt: '2026-01-12T10:20:00.000Z' },
    };
    expect(passOf(created, soon, skipped('2026-01-11T10:00:00.000Z'), off)?.dueAt).toBe(onTime);
  });

  it('D-30 include setups, each counted from its own times', () => {
    const setup = { type: 'SignalSetupCreated', data: sampleSetup({ createdAt: CREATED }) };
    const change = (enabled: boolean, changedAt: string) => ({
      type: 'SignalSetupChanged',
      data: { setupId: 31, changes: { enabled }, changedAt },
    });
    const of = (...events: readonly HappenedEvent[]) =>
      foldAll(monitoringPasses, [setup, ...events]).get(workspaceScoped(1, 31));
    expect(of()).toMatchObject({ ownerKind: 'setup', dueAt: '2026-01-06T10:00:00.000Z' });
    const off = change(false, '2026-01-07T00:00:00.000Z');
    expect(of(off)?.dueAt).toBeNull();
    expect(of(off, change(true, '2026-01-08T11:00:00.000Z'))?.dueAt).toBe('2026-01-09T11:00:00.000Z');
  });
});
