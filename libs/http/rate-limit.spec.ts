import fc from 'fast-check';
import { createRateLimit } from './rate-limit.js';

/** A rate limit with a clock that only the test moves. */
function limited(requestsPerSecond: number, burst: number, mostCallers = 100) {
  let nowMs = 5_000;
  const take = createRateLimit({ requestsPerSecond, burst }, mostCallers, () => nowMs);
  return { take, wait: (ms: number) => (nowMs += ms) };
}

describe('OP-05 a token bucket', () => {
  it('allows the burst at once, then refuses, and says when to retry', () => {
    const { take } = limited(2, 3);
    expect([take('a'), take('a'), take('a')]).toEqual([
      { limit: 3, remaining: 2, resetSeconds: 1, retryAfterSeconds: null },
      { limit: 3, remaining: 1, resetSeconds: 1, retryAfterSeconds: null },
      { limit: 3, remaining: 0, resetSeconds: 2, retryAfterSeconds: null },
    ]);
    expect(take('a')).toEqual({ limit: 3, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 });
  });

  it('refills at the rate, never beyond the burst', () => {
    const { take, wait } = limited(2, 3);
    for (let count = 0; count < 3; count += 1) take('a');
    wait(499);
    expect(take('a').retryAfterSeconds).toBe(1);
    wait(1);
    expect(take('a').retryAfterSeconds).toBeNull();
    expect(take('a').retryAfterSeconds).toBe(1);
    wait(3_600_000);
    expect(take('a')).toMatchObject({ remaining: 2, retryAfterSeconds: null });
  });

  it('does not count refused requests', () => {
    const { take, wait } = limited(1, 1);
    take('a');
    for (let count = 0; count < 1_000; count += 1) expect(take('a').retryAfterSeconds).toBe(1);
    wait(1_000);
    expect(take('a').retryAfterSeconds).toBeNull();
  });

  it('is separate for each caller', () => {
    const { take } = limited(1, 1);
    expect(take('a').retryAfterSeconds).toBeNull();
    expect(take('b').retryAfterSeconds).toBeNull();
    expect(take('a').retryAfterSeconds).toBe(1);
  });

  it('remembers a limited number of callers, the latest ones', () => {
    const { take } = limited(1, 1, 3);
    for (const caller of ['a', 'b', 'c', 'd']) take(caller);
    for (const caller of ['d', 'c', 'b'])
      expect([caller, take(caller).retryAfterSeconds]).toEqual([caller, 1]);
    // its bucket was evicted by that of d
    expect(take('a').retryAfterSeconds).toBeNull();
  });

  it('allows in any period exactly the burst and the refilled tokens', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 }),
        (rate, burst, waits) => {
          const { take, wait } = limited(rate, burst);
          let tokens = burst;
          for (const ms of waits) {
            wait(ms);
            tokens = Math.min(burst, tokens + (ms * rate) / 1000);
            const passes = tokens >= 1 - 1e-6;
            expect(take('a').retryAfterSeconds === null).toBe(passes);
            if (passes) tokens -= 1;
          }
        },
      ),
      { seed: 7 },
    );
  });
});
