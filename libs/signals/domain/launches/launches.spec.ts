import { Refusal } from '#kernel/values/refusal.js';
import { sampleLaunch } from '#projections/testing/sample-events.js';
import {
  alreadyRunning,
  ended,
  launch as launchByHand,
  launched,
  livePass,
  noLaunches,
  passedAt,
  pass,
  quoteUsed,
  tick,
  type Monitored,
  type Scheduled,
  type Tick,
} from './launches.js';
import type { RunLaunched } from './launch.events.js';

const ANCHOR = '2026-01-05T10:00:00.000Z';
const FIRST = '2026-01-12T10:00:00.000Z';
const SECOND = '2026-01-19T10:00:00.000Z';
const launch = sampleLaunch({
  trigger: 'schedule',
  now: FIRST,
  lookbackDays: 7,
  detectorKind: 'keyword_post',
});
const idle: Scheduled = {
  enabled: true,
  scheduleAnchorAt: ANCHOR,
  scheduleMaxCredits: null,
  lastTickAt: null,
  launches: noLaunches,
};
const running: Scheduled = { ...idle, launches: { ...noLaunches, running: [90] } };
const due = (change: Partial<Tick> = {}): ReturnType<typeof tick> =>
  tick({ ownerKind: 'agent', ownerId: 7, dueAt: FIRST, launch, isBilled: true, ...change });
const ticked = (outcome: 'launched' | 'skipped', reason: string | null, dueAt = FIRST) => ({
  type: 'ScheduleTicked',
  data: { ownerKind: 'agent', ownerId: 7, dueAt, outcome, reason },
});

describe('OP-17 a run that is due by schedule', () => {
  it('is launched, and its due time is recorded in the same append', () => {
    expect(due()(idle)).toEqual([{ type: 'RunLaunched', data: launch }, ticked('launched', null)]);
  });

  it('is skipped while a run is in progress, and the skip is recorded', () => {
    expect(due()(running)).toEqual([ticked('skipped', alreadyRunning.code)]);
  });

  it('QUO-02 spends at most the limit of its schedule, and is skipped if the limit covers no signal', () => {
    const limited = { ...idle, scheduleMaxCredits: 10_000_000n };
    expect(due()(limited)).toEqual([
      { type: 'RunLaunched', data: { ...launch, maxCredits: '10000000' } },
      ticked('launched', null),
    ]);
    expect(due()({ ...idle, scheduleMaxCredits: 9_999_999n })).toEqual([
      ticked('skipped', 'below-one-price'),
    ]);
    expect(due({ isBilled: false })({ ...idle, scheduleMaxCredits: 9_999_999n })).toEqual([
      { type: 'RunLaunched', data: { ...launch, maxCredits: '9999999' } },
      ticked('launched', null),
    ]);
  });

  it('is skipped for the same reasons as a launch by hand is refused', () => {
    const refused = { launch: { refused: 'insufficient-credits' } };
    expect(due(refused)(idle)).toEqual([ticked('skipped', 'insufficient-credits')]);
  });

  it('is launched once for a due time, and not for an earlier one afterwards', () => {
    expect(due()({ ...idle, lastTickAt: FIRST })).toEqual([]);
    expect(due()({ ...idle, lastTickAt: SECOND })).toEqual([]);
    expect(due({ dueAt: SECOND })({ ...idle, lastTickAt: FIRST })).toHaveLength(2);
  });

  it('is ignored while the agent is disabled or the schedule is off', () => {
    expect(due()({ ...idle, enabled: false })).toEqual([]);
    expect(due()({ ...idle, scheduleAnchorAt: null })).toEqual([]);
  });

  it('is ignored at a time that the current schedule does not have', () => {
    expect(due()({ ...idle, scheduleAnchorAt: '2026-01-06T10:00:00.000Z' })).toEqual([]);
    expect(due({ dueAt: '2026-01-12T10:00:00.001Z' })(idle)).toEqual([]);
  });
});

describe('QUO-01 the quote of a launch', () => {
  const EXPIRES = '2026-01-12T10:15:00.000Z';
  const quoted: RunLaunched = {
    ...launch,
    runs: [{ runId: 90, direction: 'single' }],
    quote: { nonce: 'nonce-1', expiresAt: EXPIRES },
  };
  const after = (...later: readonly string[]) =>
    later.reduce((known, now) => launched(known, { ...launch, now }), launched(noLaunches, quoted));
  const isRefused = (launches: ReturnType<typeof after>): boolean => {
    try {
      launchByHand(quoted)({ launches });
    } catch (error) {
      return error instanceof Refusal && error.declaration === quoteUsed;
    }
    return false;
  };

  it('is refused for a second launch, also after other launches, until an hour after its end', () => {
    expect(isRefused(after())).toBe(true);
    expect(isRefused(after(EXPIRES, '2026-01-12T11:14:59.999Z'))).toBe(true);
    expect(isRefused(after('2026-01-12T11:15:00.000Z'))).toBe(false);
    expect(after(EXPIRES).quotes).toEqual([{ ...quoted.quote, runIds: [90] }]);
  });

  it('belongs to a launch that is no longer in progress once its runs have ended', () => {
    const end = { runId: 90, launchId: 1, matchesFound: 0, matchesDropped: 0, creditsSpent: '0' };
    const over = ended(after(), { ...end, outcome: 'completed', endedAt: EXPIRES });
    expect(launchByHand(launch)({ launches: over })).toEqual([{ type: 'RunLaunched', data: launch }]);
    expect(isRefused(over)).toBe(true);
  });
});

describe('D-31 D-33 a monitoring pass that is due', () => {
  const since = '2026-01-11T10:00:00.000Z';
  const monitored: Monitored = {
    enabled: true,
    monitoredSince: since,
    lastPassDueAt: null,
    launches: noLaunches,
  };
  const pending = { ...launch, trigger: 'monitoring' as const };
  const passed = (change: Partial<Tick> = {}): ReturnType<typeof pass> =>
    pass({ ownerKind: 'agent', ownerId: 7, dueAt: FIRST, launch: pending, isBilled: true, ...change });
  const skipped = (reason: string) => [
    { type: 'MonitoringPassSkipped', data: { ownerKind: 'agent', ownerId: 7, dueAt: FIRST, reason } },
  ];

  it('is launched; the launch itself records its due time', () => {
    expect(passed()(monitored)).toEqual([{ type: 'RunLaunched', data: pending }]);
  });

  it('is skipped while a run is in progress, and for the same reasons as a launch by hand is refused', () => {
    const running = { ...noLaunches, running: [90] };
    expect(passed()({ ...monitored, launches: running })).toEqual(skipped(alreadyRunning.code));
    expect(passed({ launch: { refused: 'no-target-accounts' } })(monitored)).toEqual(
      skipped('no-target-accounts'),
    );
  });

  it('is launched once, at its own due times, while the agent is enabled', () => {
    expect(passed()({ ...monitored, lastPassDueAt: FIRST })).toEqual([]);
    expect(passed()({ ...monitored, enabled: false })).toEqual([]);
    expect(passed({ dueAt: '2026-01-12T10:00:00.001Z' })(monitored)).toEqual([]);
    expect(passed({ dueAt: since })(monitored)).toEqual([]);
  });
});

describe('a live pass', () => {
  const NOON = '2026-01-12T12:00:00.000Z';
  const LATER = '2026-01-12T12:00:20.000Z';
  const liveLaunch = (runId: number, now = NOON): RunLaunched => ({
    ...launch,
    launchId: runId,
    runs: [{ runId, direction: 'single' }],
    trigger: 'monitoring',
    now,
    live: { after: FIRST },
  });
  const watching: Monitored = {
    enabled: true,
    monitoredSince: ANCHOR,
    lastPassDueAt: null,
    launches: noLaunches,
  };
  const after = (...launches: readonly RunLaunched[]): Monitored => ({
    ...watching,
    launches: launches.reduce(
      (known, one) => ({ ...launched(known, one), live: { ...launched(known, one).live, running: [] } }),
      noLaunches,
    ),
  });

  it('LIV-01 is launched at most once in 20 s, also if the clock was set back', () => {
    const known = after(liveLaunch(91));
    expect(livePass(liveLaunch(92, '2026-01-12T12:00:19.999Z'))(known)).toEqual([]);
    expect(livePass(liveLaunch(92, '2026-01-12T11:59:58.000Z'))(known)).toEqual([]);
    expect(livePass(liveLaunch(92, LATER))(known)).toHaveLength(1);
    expect(livePass(liveLaunch(92, '2026-01-12T11:00:00.000Z'))(known)).toHaveLength(1);
  });

  it('LIV-03 is not launched while the agent is disabled, or while a run or another live pass is in progress', () => {
    expect(livePass(liveLaunch(91))(watching)).toHaveLength(1);
    expect(livePass(liveLaunch(91))({ ...watching, enabled: false })).toEqual([]);
    expect(livePass(liveLaunch(91))({ ...watching, launches: { ...noLaunches, running: [90] } })).toEqual([]);
    const inProgress = launched(noLaunches, liveLaunch(90));
    expect(livePass(liveLaunch(91))({ ...watching, launches: inProgress })).toEqual([]);
  });

  it('LIV-03 does not refuse a launch while it is in progress', () => {
    const inProgress = launched(noLaunches, liveLaunch(90));
    expect(launchByHand(launch)({ launches: inProgress })).toEqual([{ type: 'RunLaunched', data: launch }]);
  });

  it('LIV-03 leaves a rest if a launch stops it, until a daily pass has ended', () => {
    const runEnded = { runId: 93, launchId: 93, matchesFound: 0, matchesDropped: 0, creditsSpent: '0' };
    const end = { ...runEnded, outcome: 'completed', endedAt: LATER } as const;
    const dailyPass: RunLaunched = {
      ...launch,
      trigger: 'monitoring',
      runs: [{ runId: 93, direction: 'single' }],
    };
    const byHand: RunLaunched = { ...dailyPass, trigger: 'manual' };
    const inProgress = launched(noLaunches, liveLaunch(91));
    expect(inProgress.live.restAfter).toBe(null);
    expect(launched(after(liveLaunch(91)).launches, byHand).live.restAfter).toBe(null);
    expect(ended(launched(inProgress, byHand), end).live.restAfter).toBe(FIRST);
    expect(ended(launched(inProgress, dailyPass), { ...end, outcome: 'failed' }).live.restAfter).toBe(FIRST);
    expect(ended(launched(inProgress, dailyPass), end).live.restAfter).toBe(null);
  });

  it('LIV-04 is no previous run and no daily pass, even after its end', () => {
    const inProgress = launched(noLaunches, liveLaunch(91));
    const over = ended(inProgress, {
      launchId: 91,
      runId: 91,
      outcome: 'completed',
      matchesFound: 1,
      matchesDropped: 0,
      creditsSpent: '0',
      endedAt: NOON,
    });
    expect(over).toMatchObject({ running: [], last: null, lastLaunchedAt: null, lastPassAt: null });
    expect(over.live.running).toEqual([]);
    expect(passedAt(liveLaunch(91), FIRST)).toBe(FIRST);
  });

  it('LIV-05 is shown as the first of its day and direction', () => {
    const [second] = livePass(liveLaunch(92, LATER))(after(liveLaunch(91)));
    expect(second?.data).toMatchObject({ runs: [{ runId: 92, shownAs: 91 }] });
    const [third] = livePass(liveLaunch(93, LATER))(after(liveLaunch(91), liveLaunch(92)));
    expect(third?.data).toMatchObject({ runs: [{ runId: 93, shownAs: 91 }] });
    const tomorrow = '2026-01-13T00:00:00.000Z';
    const [next] = livePass(liveLaunch(94, tomorrow))(after(liveLaunch(91)));
    expect(next?.data).toMatchObject({ runs: [{ runId: 94, direction: 'single' }] });
    expect(next?.data).not.toMatchObject({ runs: [{ shownAs: 91 }] });
  });
});
