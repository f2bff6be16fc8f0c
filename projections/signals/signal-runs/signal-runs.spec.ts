import { foldAll } from '#kernel/testing/project.js';
import { sampleLaunch, sampleRunEnd } from '#projections/testing/sample-events.js';
import { signalRunKey, signalRuns } from './signal-runs.projection.js';

const twoRuns = sampleLaunch({
  runs: [
    { runId: 91, direction: 'inbound' },
    { runId: 92, direction: 'outbound' },
  ],
});

describe('the runs that are polled', () => {
  it('RUN-05 are running from their launch on, one for each direction', () => {
    const runs = foldAll(signalRuns, [{ type: 'RunLaunched', data: twoRuns }]);
    expect([...runs.values()].map(({ id, direction, stage }) => [id, direction, stage])).toEqual([
      [91, 'inbound', 'running'],
      [92, 'outbound', 'running'],
    ]);
    expect(runs.get(signalRunKey(91))).toMatchObject({
      workspaceId: 1,
      sourceId: 7,
      trigger: 'manual',
      lookbackDays: 90,
      createdAt: '2026-01-05T10:00:00.000Z',
      completedAt: null,
    });
  });

  it('RUN-26 take stage and counts from their end, each from its own', () => {
    const runs = foldAll(signalRuns, [
      { type: 'RunLaunched', data: twoRuns },
      { type: 'RunEnded', data: sampleRunEnd({ outcome: 'completed_partial', matchesDropped: 2 }) },
    ]);
    expect(runs.get(signalRunKey(91))).toMatchObject({
      stage: 'completed_partial',
      matchesFound: 4,
      matchesDropped: 2,
      creditsSpent: '40000000',
      completedAt: '2026-01-05T10:01:00.000Z',
    });
    expect(runs.get(signalRunKey(92))?.stage).toBe('running');
  });
});
