import { foldAll } from '#kernel/testing/project.js';
import { sampleLaunch, sampleRunEnd } from '#projections/testing/sample-events.js';
import { signalRunKey, signalRuns } from './signal-runs.projection.js';

const twoRuns = sampleLaunch({
  runs: [
    { runId: 91, direction: 'inbound' },
    { runId: 92, direction: 'outbound' },
  ],
});

describe('the runs read model', () => {
  it('RUN-05 shows one running run per direction from the launch on', () => {
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

  it('RUN-26 takes stage and counts of each run from its own end', () => {
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

  it('OP-37 shows the rest of a limit for all runs of the launch, as it is after the last one that ended', () => {
    const limited = sampleLaunch({ ...twoRuns, maxCredits: '50000000' });
    const end = (runId: number, other: number, creditsLeft: string) => ({
      type: 'RunEnded',
      data: sampleRunEnd({ runId, creditsLeft, sharedWith: [other] }),
    });
    const launched = { type: 'RunLaunched', data: limited };
    const rests = (...ends: readonly ReturnType<typeof end>[]): readonly unknown[] =>
      [...foldAll(signalRuns, [launched, ...ends]).values()].map(({ id, stage, creditsLeft }) => [
        id,
        stage,
        creditsLeft,
      ]);
    expect(rests(end(91, 92, '40000000'))).toEqual([
      [91, 'completed', '40000000'],
      [92, 'running', '40000000'],
    ]);
    expect(rests(end(91, 92, '40000000'), end(92, 91, '10000000'))).toEqual([
      [91, 'completed', '10000000'],
      [92, 'completed', '10000000'],
    ]);
  });

  it('LIV-05 adds the live passes of a day up in the row of the first, whose end stays (OP-37)', () => {
    const pass = (launchId: number, runId: number, shownAs?: number) => ({
      type: 'RunLaunched',
      data: sampleLaunch({
        launchId,
        trigger: 'monitoring',
        runs: [{ runId, direction: 'single', ...(shownAs === undefined ? {} : { shownAs }) }],
        live: { after: '2026-01-05T09:59:00.000Z' },
      }),
    });
    const end = (runId: number, changes: Parameters<typeof sampleRunEnd>[0]) => ({
      type: 'RunEnded',
      data: sampleRunEnd({ runId, ...changes }),
    });
    const runs = foldAll(signalRuns, [
      pass(3, 91),
      end(91, {}),
      pass(4, 92, 91),
      end(92, {
        shownAs: 91,
        outcome: 'completed_partial',
        matchesDropped: 1,
        endedAt: '2026-01-05T12:00:00.000Z',
      }),
    ]);
    expect(runs.get(signalRunKey(91))).toMatchObject({
      stage: 'completed',
      matchesFound: 8,
      matchesDropped: 1,
      creditsSpent: '80000000',
      completedAt: '2026-01-05T12:00:00.000Z',
      shownAs: 91,
      listed: true,
    });
    expect(runs.get(signalRunKey(92))).toMatchObject({
      stage: 'completed_partial',
      matchesFound: 4,
      shownAs: 91,
      listed: false,
    });
  });
});
