import {
  healthAfter,
  HEALTHY,
  isGivenUp,
  mostInFlight,
  pauseAfter,
  type Health,
} from './delivery-schedule.js';
import type { Sent } from './send-delivery.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
/** The largest value of a random number. */
const HIGHEST = 1 - Number.EPSILON;

const DELIVERED: Sent = {
  outcome: 'delivered',
  statusCode: 204,
  durationMs: 5,
  answer: null,
  retryAfterMs: 0,
};
const failed = (statusCode: number | null, retryAfterMs = 0): Sent => ({
  ...DELIVERED,
  outcome: statusCode === null ? 'unreachable' : 'rejected',
  statusCode,
  retryAfterMs,
});
/** The health after this many failures in a row, `pauseMs` apart; the last one ends at `NOW_MS`. */
function failing(times: number, pauseMs = 0): Health {
  let health = HEALTHY;
  for (let left = times - 1; left >= 0; left -= 1)
    health = healthAfter(health, failed(500), NOW_MS - left * pauseMs);
  return health;
}
const leftAloneMs = (health: Health): number => Math.max(0, health.slowUntilMs - NOW_MS);

describe('the schedule of deliveries', () => {
  it('DLV-05 waits nine times between ten attempts, from 5 s to 24 h', () => {
    const pauses = Array.from({ length: 9 }, (_, index) => pauseAfter(index + 1, 0));
    expect(pauses).toEqual([
      5 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      14 * HOUR_MS,
      20 * HOUR_MS,
      24 * HOUR_MS,
    ]);
    expect([10, 11].map((attempts) => pauseAfter(attempts, 0))).toEqual([null, null]);
  });

  it('DLV-05 adds up to a tenth at random, and never shortens a pause', () => {
    for (let attempts = 1; attempts <= 9; attempts += 1) {
      const least = pauseAfter(attempts, 0) ?? 0;
      const later = [0.5, HIGHEST].map((random) => pauseAfter(attempts, random));
      expect(later).toEqual([Math.round(least * 1.05), Math.round(least * 1.1)]);
    }
  });

  it('DLV-05 has ten requests in flight, one from the first failure on, and ten again after a success', () => {
    expect(mostInFlight(HEALTHY)).toBe(10);
    const once = failing(1);
    expect(mostInFlight(once)).toBe(1);
    expect(mostInFlight(healthAfter(once, DELIVERED, NOW_MS))).toBe(10);
  });

  it('DLV-05 pauses an endpoint for 5 s after 429, 502, 503 and 504, and not after other failures', () => {
    const alone = [429, 502, 503, 504, 400, 404, 500, 302, null].map((status) =>
      leftAloneMs(healthAfter(HEALTHY, failed(status), NOW_MS)),
    );
    expect(alone).toEqual([5_000, 5_000, 5_000, 5_000, 0, 0, 0, 0, 0]);
  });

  it('DLV-05 pauses it as long as Retry-After says with any failure, an hour at most', () => {
    const after = (status: number, retryAfterMs: number): number =>
      leftAloneMs(healthAfter(HEALTHY, failed(status, retryAfterMs), NOW_MS));
    expect([after(429, 90_000), after(500, 90_000)]).toEqual([90_000, 90_000]);
    expect(after(503, 1_000)).toBe(5_000);
    expect(after(503, 7 * DAY_MS)).toBe(HOUR_MS);
  });

  it('DLV-05 never ends a pause early because of a later failure', () => {
    const asked = healthAfter(HEALTHY, failed(503, HOUR_MS), NOW_MS);
    expect(healthAfter(asked, failed(500), NOW_MS + SECOND_MS).slowUntilMs).toBe(NOW_MS + HOUR_MS);
  });

  it('DLV-05 pauses it after each failure from the sixth in a row on, longer each time up to a minute', () => {
    const alone = [1, 5, 6, 7, 8, 11, 12, 100, 5_000].map((times) => leftAloneMs(failing(times)));
    expect(alone).toEqual([0, 0, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it('DLV-05 resets all failures with one success', () => {
    const health = healthAfter(failing(12, DAY_MS), DELIVERED, NOW_MS);
    expect(health).toEqual(HEALTHY);
    expect(isGivenUp(health, NOW_MS + 30 * DAY_MS)).toBe(false);
  });

  it('DLV-05 gives up after ten failed attempts and five days without a success, and not after only one of both', () => {
    const fiveDays = (5 * DAY_MS) / 9;
    expect(isGivenUp(failing(10, fiveDays), NOW_MS)).toBe(true);
    expect(isGivenUp(failing(10, fiveDays), NOW_MS - 1)).toBe(false);
    expect(isGivenUp(failing(9, 2 * DAY_MS), NOW_MS)).toBe(false);
    expect(isGivenUp(failing(1_000, SECOND_MS), NOW_MS)).toBe(false);
    expect(isGivenUp(HEALTHY, NOW_MS)).toBe(false);
  });
});
