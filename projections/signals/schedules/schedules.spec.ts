import { workspaceScoped } from '#kernel/commands/decider.js';
import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { sampleSetup } from '#projections/testing/sample-events.js';
import { schedules } from './schedules.projection.js';

const ANCHOR = '2026-01-05T10:00:00.000Z';
const owner = { ownerKind: 'agent', ownerId: 7 };
const at = (recordedAt: string) => ({ metadata: { workspaceId: '1', recordedAt } });
const created = {
  type: 'AgentCreated',
  data: { agentId: 7, type: 'keyword_post_search', name: 'CRM', parameters: {} },
};
const switchedOn = { type: 'ScheduleSwitchedOn', data: { ...owner, cadence: 'weekly', anchorAt: ANCHOR } };
const ticked = (dueAt: string) => ({
  type: 'ScheduleTicked',
  data: { ...owner, dueAt, outcome: 'launched', reason: null },
});
const enabled = (value: boolean, recordedAt: string) => ({
  type: 'AgentChanged',
  data: { agentId: 7, changes: { enabled: value } },
  ...at(recordedAt),
});
const dueAfter = (...events: readonly HappenedEvent[]) =>
  foldAll(schedules, [created, ...events]).get(workspaceScoped(1, 7));

describe('the due times of schedules', () => {
  it('OPS-16 exclude an imported agent without a schedule, and pause while an agent is disabled', () => {
    const legacy = { legacyId: 'a-1', enabled: false, createdAt: ANCHOR };
    const imported = { type: 'LegacyAgentImported', data: { ...created.data, ...legacy } };
    const after = (...events: readonly HappenedEvent[]) =>
      foldAll(schedules, [imported, ...events]).get(workspaceScoped(1, 7));
    expect(after()).toMatchObject({ ownerKind: 'agent', enabled: false, anchorAt: null, dueAt: null });
    expect(after(switchedOn)).toMatchObject({ anchorAt: ANCHOR, dueAt: null });
  });

  it('exclude an agent or setup without a schedule', () => {
    expect(dueAfter()).toMatchObject({ ownerKind: 'agent', enabled: true, anchorAt: null, dueAt: null });
    const setup = { type: 'SignalSetupCreated', data: sampleSetup() };
    expect(foldAll(schedules, [setup]).get(workspaceScoped(1, 31))).toMatchObject({
      ownerKind: 'setup',
      dueAt: null,
    });
  });

  it('OP-17 begin a week after the schedule was switched on, and repeat every week', () => {
    expect(dueAfter(switchedOn)?.dueAt).toBe('2026-01-12T10:00:00.000Z');
    expect(dueAfter(switchedOn, ticked('2026-01-12T10:00:00.000Z'))?.dueAt).toBe('2026-01-19T10:00:00.000Z');
  });

  it('OP-17 give one run for any number of missed ones, and stay counted from the anchor', () => {
    expect(dueAfter(switchedOn, ticked('2026-02-02T10:00:00.000Z'))?.dueAt).toBe('2026-02-09T10:00:00.000Z');
  });

  it('OP-17 SETUP-68 pause while it is disabled; missed runs are not made up for', () => {
    const off = enabled(false, '2026-01-10T00:00:00.000Z');
    expect(dueAfter(switchedOn, off)).toMatchObject({ anchorAt: ANCHOR, dueAt: null });
    const on = enabled(true, '2026-01-27T00:00:00.000Z');
    expect(dueAfter(switchedOn, off, on)?.dueAt).toBe('2026-02-02T10:00:00.000Z');
    const setup = (value: boolean, recordedAt: string) => ({
      type: 'SignalSetupChanged',
      data: { setupId: 7, changes: { enabled: value }, changedAt: recordedAt },
      ...at(recordedAt),
    });
    expect(dueAfter(switchedOn, setup(false, '2026-01-10T00:00:00.000Z'))?.dueAt).toBeNull();
    expect(dueAfter(switchedOn, off, switchedOn)?.dueAt).toBeNull();
  });

  it('end when the schedule is switched off or the agent is deleted', () => {
    const off = { type: 'ScheduleSwitchedOff', data: { ...owner, switchedOffAt: ANCHOR } };
    expect(dueAfter(switchedOn, off)).toMatchObject({ anchorAt: null, dueAt: null });
    expect(dueAfter(switchedOn, off, ticked('2026-01-12T10:00:00.000Z'))?.dueAt).toBeNull();
    const deleted = { type: 'AgentDeleted', data: { agentId: 7, listId: null } };
    expect(dueAfter(switchedOn, deleted)).toBeUndefined();
  });

  it('stay empty for a disabled agent even after a recorded tick', () => {
    const off = enabled(false, '2026-01-10T00:00:00.000Z');
    expect(dueAfter(switchedOn, off, ticked('2026-01-12T10:00:00.000Z'))?.dueAt).toBeNull();
  });

  it('are critical, so that a parked workspace stops its work', () => {
    expect(schedules.critical).toBe(true);
  });
});
