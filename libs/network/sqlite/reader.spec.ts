import { sqliteReader } from './reader.js';

/** Occupies the event loop for a millisecond, like a read of some rows. */
function keepLoop(): void {
  for (const endsMs = performance.now() + 1; performance.now() < endsMs;);
}

describe('sqliteReader', () => {
  it('yields to the event loop between consecutive reads', async () => {
    const reader = sqliteReader('network.db');
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    for (let reads = 0; reads < 1_000 && !hasTurned; reads += 1) await reader.once(keepLoop);
    expect(hasTurned).toBe(true);
  });

  it('yields to the event loop between the steps of one read', async () => {
    const reader = sqliteReader('network.db');
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    let steps = 0;
    await reader.until(() => {
      keepLoop();
      steps += 1;
      return steps === 1_000 || hasTurned;
    });
    expect(hasTurned).toBe(true);
  });

  it('reads each item once, in order', async () => {
    const reader = sqliteReader('network.db');
    expect(await reader.each([1, 2, 3], (number) => number * 2)).toEqual([2, 4, 6]);
    expect(await reader.each([], (number) => number)).toEqual([]);
  });
});
