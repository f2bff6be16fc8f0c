import { foldAll } from '#kernel/testing/project.js';
import { sampleSetup } from '#projections/testing/sample-events.js';
import { signalSetupKey, signalSetups } from './signal-setups.projection.js';

const now = '2026-01-05T10:00:00.000Z';
const created = {
  type: 'SignalSetupCreated',
  data: sampleSetup({
    templateId: 15,
    templateKey: 'champion-job-change',
    name: 'Champion changes job',
    parameters: { list_id: 14, moves: ['promotion'] },
    listId: 14,
    createdAt: now,
  }),
};
const changed = (changes: object) => ({
  type: 'SignalSetupChanged',
  data: { setupId: 31, changes, changedAt: now },
});
const switchedOn = (ownerKind: string) => ({
  type: 'ScheduleSwitchedOn',
  data: { ownerKind, ownerId: 31, cadence: 'weekly', anchorAt: now },
});
const switchedOff = {
  type: 'ScheduleSwitchedOff',
  data: { ownerKind: 'setup', ownerId: 31, switchedOffAt: now },
};
const after = (...events: { type: string; data: object }[]) =>
  foldAll(signalSetups, [created, ...events]).get(signalSetupKey(1, 31));

describe('the signal setups read model', () => {
  it('SETUP-02 SETUP-05 shows a new setup, enabled and without schedule', () => {
    expect(after()).toEqual({
      id: 31,
      signal_template_id: 15,
      name: 'Champion changes job',
      status: 'enabled',
      parameters: { list_id: 14, moves: ['promotion'] },
      schedule: null,
      created_at: now,
      workspaceId: 1,
      templateKey: 'champion-job-change',
      listId: 14,
      personaId: null,
    });
  });

  it('SETUP-54 SETUP-55 follows name, status and merged parameters, each alone', () => {
    expect(after(changed({ name: 'Mine' }))).toEqual({ ...after(), name: 'Mine' });
    expect(after(changed({ enabled: false }))).toEqual({ ...after(), status: 'disabled' });
    expect(after(changed({ enabled: false }), changed({ enabled: true }))).toEqual(after());
    expect(after(changed({ parameters: { note: 'x' }, removedParameters: ['moves'] }))?.parameters).toEqual({
      list_id: 14,
      note: 'x',
    });
  });

  it('SETUP-52 follows its own schedule and not that of an agent', () => {
    expect(after(switchedOn('setup'))?.schedule).toEqual({ cadence: 'weekly' });
    expect(after(switchedOn('setup'), switchedOff)?.schedule).toBeNull();
    expect(after(switchedOn('agent'))?.schedule).toBeNull();
  });

  it('keeps workspaces apart', () => {
    const foreign = { ...changed({ name: 'Theirs' }), metadata: { workspaceId: '2' } };
    expect(after(foreign)?.name).toBe('Champion changes job');
  });
});
