import { HOUR_MS } from '#kernel/values/durations.js';
import { feed } from './kinds/feed.js';
import { memoryIn, type PollMemory } from './poll-memory.js';
import { afterFailure, afterSuccess, NEVER_MS, nextOfGone, type Schedule } from './poll-outcome.js';

const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-02-01T10:30:00.000Z');
const at = (time: string): number => Date.parse(`2026-02-${time}.000Z`);
const timing = (random = 0.5) => ({ nowMs: () => NOW, random: () => random });
const memory = (facts: Partial<PollMemory> = {}): PollMemory => ({ ...memoryIn(null), ...facts });

describe('the next poll after a failure', () => {
  const pauseOf = (before: Partial<PollMemory>, { random = 0.5, notBeforeMs = 0 } = {}): number =>
    afterFailure(timing(random), { before: memory(before) }, 'answered 500', notBeforeMs).nextPollAtMs - NOW;

  it('comes after an hour, then after twice the time of the failure before, and at least once a day', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6, 50, 5_000].map((failures) => pauseOf({ failures }) / HOUR_MS);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 24, 24, 24, 24]);
  });

  it('is spread by a tenth to either side', () => {
    expect([0, 0.25, 1].map((random) => pauseOf({}, { random }) / HOUR_MS)).toEqual([0.9, 0.95, 1.1]);
  });

  it('comes no sooner than its host allows', () => {
    expect(pauseOf({}, { notBeforeMs: NOW + 3 * DAY_MS })).toBe(3 * DAY_MS);
    expect(pauseOf({}, { notBeforeMs: NOW + 1 })).toBe(HOUR_MS);
  });

  it('comes outside of the hours that the source excluded', () => {
    expect(pauseOf({ skipHours: [11, 12] })).toBe(2.5 * HOUR_MS);
    expect(pauseOf({ skipHours: [10, 12] })).toBe(HOUR_MS);
  });

  it('SRC-06 comes after a week if the board is gone, and never if it answered 410', () => {
    const gone = { isGone: true, nextPollAtMs: NOW };
    expect(pauseOf(gone)).toBe(7 * DAY_MS);
    expect(pauseOf(gone, { notBeforeMs: NOW + 8 * DAY_MS })).toBe(8 * DAY_MS);
    expect(pauseOf({ ...gone, nextPollAtMs: NEVER_MS }) + NOW).toBe(NEVER_MS);
    // The board is only found to be gone now.
    expect(nextOfGone(memory({ nextPollAtMs: NOW }), NOW, 0) - NOW).toBe(7 * DAY_MS);
    expect(nextOfGone(memory({ nextPollAtMs: NEVER_MS }), NOW, 0) - NOW).toBe(7 * DAY_MS);
  });
});

describe('the next poll after a success', () => {
  const after = (schedule: Partial<Schedule>, before: Partial<PollMemory> = {}, random = 0.5): PollMemory =>
    afterSuccess(
      timing(random),
      { kind: feed, before: memory(before) },
      { added: 1, changed: 2, closed: 3, skipped: 4 },
      { notBeforeMs: 0, skipHours: [], hasYielded: true, ...schedule },
    );
  const nextAt = (skipHours: readonly number[], notBeforeMs = 0): string =>
    new Date(after({ skipHours, notBeforeMs }).nextPollAtMs).toISOString().slice(8, 16);

  it('comes after the pause of its kind, spread by a tenth to either side, and no sooner than its host allows', () => {
    const pauses = [0, 0.5, 1].map((random) => after({}, {}, random).nextPollAtMs - NOW);
    expect(pauses.map((ms) => ms / HOUR_MS)).toEqual([0.9, 1, 1.1]);
    expect(after({ notBeforeMs: NOW + DAY_MS }).nextPollAtMs).toBe(NOW + DAY_MS);
  });

  it('comes at the first full hour after the hours in which the source asks not to be read', () => {
    expect(nextAt([])).toBe('01T11:30');
    expect(nextAt([10, 12])).toBe('01T11:30');
    expect(nextAt([11])).toBe('01T12:00');
    expect(nextAt([11, 12, 13, 15])).toBe('01T14:00');
    expect(nextAt([11, 12], at('01T23:10:00'))).toBe('01T23:10');
    expect(nextAt([23, 0, 1], at('01T23:10:00'))).toBe('02T02:00');
    const all = Array.from({ length: 24 }, (_, hour) => hour);
    expect(nextAt(all.filter((hour) => hour !== 10))).toBe('02T10:00');
    // A source that excludes the whole day is read in spite of it.
    expect(nextAt(all)).toBe('01T11:30');
  });

  it('SRC-06 forgets the failures, and keeps the last time at which there were items', () => {
    const before = {
      failures: 3,
      lastFailure: 'answered 500',
      missing: 2,
      isGone: true,
      lastYieldAtMs: NOW - DAY_MS,
      lastSuccessAtMs: NOW - DAY_MS,
    };
    const forgotten = { failures: 0, lastFailure: null, missing: 0, isGone: false, added: 1, skipped: 4 };
    const times = { lastPollAtMs: NOW, lastSuccessAtMs: NOW };
    expect(after({}, before)).toMatchObject({ ...forgotten, ...times, lastYieldAtMs: NOW });
    expect(after({ hasYielded: false }, before)).toMatchObject({
      ...forgotten,
      ...times,
      lastYieldAtMs: NOW - DAY_MS,
    });
  });
});
