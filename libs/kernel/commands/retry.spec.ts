import { backoffMs, type RetryPolicy } from './retry.js';

const policy: RetryPolicy = { tries: 9, firstDelayMs: 20, longestDelayMs: 500 };

describe('the wait before another try', () => {
  it('doubles up to its bound, with full jitter: two that failed together do not come back together', () => {
    const longest = Array.from({ length: 8 }, (_, attempt) => backoffMs(policy, attempt, () => 1));
    expect(longest).toEqual([20, 40, 80, 160, 320, 500, 500, 500]);
    expect([0, 0.25, 0.5].map((chance) => backoffMs(policy, 3, () => chance))).toEqual([0, 40, 80]);
    const drawn = new Set(Array.from({ length: 50 }, () => backoffMs(policy, 7)));
    expect(drawn.size).toBeGreaterThan(5);
  });
});
