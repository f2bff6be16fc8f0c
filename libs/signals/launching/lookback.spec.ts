import { ended, launched, noLaunches, type Launches } from '#signals/domain/launches/launches.js';
import { sampleLaunch, sampleRunEnd } from '#projections/testing/sample-events.js';
import type { RunEnded, RunLaunched } from '#signals/domain/launches/launch.events.js';
import { lookbackOf } from './lookback.js';

const now = new Date('2026-03-02T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

/** A launch this many days ago with these outcomes of its runs. */
const launch = (
  days: number,
  trigger: RunLaunched['trigger'],
  ...outcomes: readonly RunEnded['outcome'][]
) => ({ days, trigger, outcomes });

function after(...history: readonly ReturnType<typeof launch>[]): Launches {
  return history.reduce((launches, { days, trigger, outcomes }) => {
    const runs = outcomes.map((_, index) => ({ runId: index + 1, direction: 'single' as const }));
    const begun = launched(launches, sampleLaunch({ now: daysAgo(days), trigger, runs }));
    return outcomes.reduce(
      (ending, outcome, index) => ended(ending, sampleRunEnd({ runId: index + 1, outcome })),
      begun,
    );
  }, noLaunches);
}

const lookback = (
  trigger: RunLaunched['trigger'],
  launches: Launches,
  monitoredSince: string | null = null,
) => lookbackOf({ trigger, now, launches, monitoredSince });

describe('D-04 the look-back of a launch', () => {
  it('is 90 days by hand, whatever ran before', () => {
    expect(lookback('manual', after(launch(2, 'schedule', 'completed')))).toBe(90);
  });

  it('is ten days for a weekly run after an undisturbed week, and four for a daily pass', () => {
    expect(lookback('schedule', after(launch(7, 'schedule', 'completed')))).toBe(10);
    expect(lookback('monitoring', after(launch(1, 'monitoring', 'completed')))).toBe(4);
  });

  it('of a scheduled run is at least a week and at most 180 days, counted from the latest launch of any kind', () => {
    const weekly = launch(7, 'schedule', 'completed');
    expect(lookback('schedule', after(weekly, launch(1, 'manual', 'completed_partial')))).toBe(7);
    expect(lookback('schedule', after(weekly, launch(2.5, 'monitoring', 'completed')))).toBe(7);
    expect(lookback('schedule', after(launch(12.1, 'manual', 'completed')))).toBe(16);
    expect(lookback('schedule', after(launch(300, 'manual', 'completed')))).toBe(180);
    expect(lookback('schedule', noLaunches)).toBe(90);
  });

  it('of a pass is counted from the latest pass, not from other launches', () => {
    const passed = [launch(5, 'monitoring', 'completed'), launch(1, 'manual', 'completed')];
    expect(lookback('monitoring', after(...passed))).toBe(8);
    expect(lookback('monitoring', after(launch(400, 'monitoring', 'completed')))).toBe(180);
  });

  it('of the first pass is counted from the creation or enabling, or is 90 days without such a time', () => {
    expect(lookback('monitoring', after(launch(1, 'manual', 'completed')), daysAgo(1))).toBe(4);
    expect(lookback('monitoring', noLaunches, daysAgo(30.5))).toBe(34);
    expect(lookback('monitoring', noLaunches)).toBe(90);
  });

  it('skips a launch of which all runs failed', () => {
    const failing = [launch(7, 'schedule', 'completed'), launch(3, 'schedule', 'failed', 'failed')];
    expect(lookback('schedule', after(...failing))).toBe(10);
    expect(
      lookback(
        'schedule',
        after(launch(9, 'schedule', 'completed'), launch(3, 'schedule', 'failed', 'completed')),
      ),
    ).toBe(7);
    const passes = [launch(4, 'monitoring', 'completed'), launch(1, 'monitoring', 'failed')];
    expect(lookback('monitoring', after(...passes))).toBe(7);
  });
});
