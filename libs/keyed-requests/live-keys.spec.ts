import { liveKeys } from './live-keys.js';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-06-01T12:00:00Z');

/** Records as a read store keeps them, in key order. */
function records() {
  const kept = new Map<string, number>();
  let isAway = false;
  let lists = 0;
  const unlessAway = async <Result>(work: () => Result): Promise<Result> => {
    if (isAway) throw new Error('the read store is away');
    return work();
  };
  const reads = {
    listRecords: <T>(_kind: string, prefix: string) =>
      unlessAway(() => {
        lists += 1;
        return [...kept]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => ({ key, value: value as T }));
      }),
    putRecord: (_kind: string, key: string, value: unknown) =>
      unlessAway(() => void kept.set(key, Number(value))),
    deleteRecord: (_kind: string, key: string) => unlessAway(() => void kept.delete(key)),
  };
  return { kept, reads, goAway: (away: boolean) => (isAway = away), lists: () => lists };
}

const written = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('live keys of a workspace (OP-66)', () => {
  it('are as many as they may be, and no more until the first of them lapse', async () => {
    const { reads } = records();
    const keys = liveKeys({ reads, holder: 'a:1', keptMs: 24 * HOUR_MS, most: 3 });
    for (const atMs of [NOON, NOON + HOUR_MS, NOON + HOUR_MS]) {
      expect(await keys.fullFor(1, atMs)).toBeNull();
      keys.claimed(1, atMs);
    }
    // The first slice of a quarter of an hour has lapsed a day after its end.
    expect(await keys.fullFor(1, NOON + 2 * HOUR_MS)).toBe(22 * 3_600 + 900);
    expect(await keys.fullFor(1, NOON + 24 * HOUR_MS)).toBe(900);
    expect(await keys.fullFor(1, NOON + 24 * HOUR_MS + 900_000)).toBeNull();
  });

  it('are counted for each workspace alone', async () => {
    const { reads } = records();
    const keys = liveKeys({ reads, holder: 'a:1', keptMs: HOUR_MS, most: 1 });
    keys.claimed(1, NOON);
    expect([await keys.fullFor(1, NOON), await keys.fullFor(12, NOON)]).toEqual([4_500, null]);
  });

  it('are those of every process, and of those before a restart', async () => {
    const { reads } = records();
    const [first, second] = ['a:1', 'b:2'].map((holder) =>
      liveKeys({ reads, holder, keptMs: HOUR_MS, most: 4 }),
    );
    for (const keys of [first, second]) for (let count = 0; count < 2; count += 1) keys?.claimed(1, NOON);
    await written();
    const next = liveKeys({ reads, holder: 'a:3', keptMs: HOUR_MS, most: 4 });
    expect(await next.fullFor(1, NOON)).toBe(4_500);
  });

  it('are counted on with the read store away, and written when it is back', async () => {
    const { reads, kept, goAway } = records();
    const keys = liveKeys({ reads, holder: 'a:1', keptMs: HOUR_MS, most: 3 });
    goAway(true);
    for (let count = 0; count < 2; count += 1) keys.claimed(1, NOON);
    await written();
    expect([await keys.fullFor(1, NOON), kept.size]).toEqual([null, 0]);
    goAway(false);
    keys.claimed(1, NOON);
    await written();
    expect([...kept.values()]).toEqual([3]);
    expect(await keys.fullFor(1, NOON)).toBe(4_500);
  });

  it('lapse with the slice of a quarter of an hour in which they were claimed', async () => {
    const { reads } = records();
    const keys = liveKeys({ reads, holder: 'a:1', keptMs: HOUR_MS, most: 1 });
    keys.claimed(1, NOON + 7 * 60_000);
    expect(await keys.fullFor(1, NOON + 8 * 60_000)).toBe(67 * 60);
  });

  it('that have lapsed count no more while the read store is away', async () => {
    const { reads, goAway } = records();
    const keys = liveKeys({ reads, holder: 'a:1', keptMs: HOUR_MS, most: 1 });
    keys.claimed(1, NOON);
    goAway(true);
    expect(await keys.fullFor(1, NOON + 2 * HOUR_MS)).toBeNull();
    keys.claimed(1, NOON + 2 * HOUR_MS);
    expect(await keys.fullFor(1, NOON + 2 * HOUR_MS)).toBe(4_500);
  });

  it('that could not be written count although the stored record has fewer', async () => {
    const { reads } = records();
    let isFull = false;
    const putRecord: typeof reads.putRecord = (kind, key, value) =>
      isFull ? Promise.reject(new Error('the read store is full')) : reads.putRecord(kind, key, value);
    const keys = liveKeys({ reads: { ...reads, putRecord }, holder: 'a:1', keptMs: HOUR_MS, most: 3 });
    keys.claimed(1, NOON);
    await written();
    isFull = true;
    for (let count = 0; count < 2; count += 1) keys.claimed(1, NOON);
    await written();
    expect(await keys.fullFor(1, NOON)).toBe(4_500);
  });

  it('of other processes are read once per second, and for each claim near the maximum', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(5_000);
    try {
      const { reads, lists } = records();
      const keys = liveKeys({ reads, holder: 'a:1', keptMs: HOUR_MS, most: 10 });
      await keys.fullFor(1, NOON);
      now.mockReturnValue(5_999);
      await keys.fullFor(1, NOON);
      expect(lists()).toBe(1);
      now.mockReturnValue(6_000);
      await keys.fullFor(1, NOON);
      expect(lists()).toBe(2);
      for (let count = 0; count < 8; count += 1) keys.claimed(1, NOON);
      await keys.fullFor(1, NOON);
      expect(lists()).toBe(2);
      keys.claimed(1, NOON);
      await keys.fullFor(1, NOON);
      expect(lists()).toBe(3);
    } finally {
      now.mockRestore();
    }
  });

  it('are written one count after the other, so that an older one replaces no newer one', async () => {
    const { reads, kept } = records();
    const waiting: (() => void)[] = [];
    const putRecord = async (kind: string, key: string, value: unknown): Promise<void> => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await reads.putRecord(kind, key, value);
    };
    const keys = liveKeys({ reads: { ...reads, putRecord }, holder: 'a:1', keptMs: HOUR_MS, most: 9 });
    keys.claimed(1, NOON);
    keys.claimed(1, NOON);
    while (waiting.length > 0) {
      // The latest one first: a store completes concurrent writes in any order.
      waiting.pop()?.();
      await written();
    }
    expect([...kept.values()]).toEqual([2]);
  });

  it('leave no record behind once they have lapsed', async () => {
    const { reads, kept } = records();
    const keys = liveKeys({ reads, holder: 'a:1', keptMs: HOUR_MS, most: 3 });
    keys.claimed(1, NOON);
    await written();
    expect(kept.size).toBe(1);
    const later = liveKeys({ reads, holder: 'a:2', keptMs: HOUR_MS, most: 3 });
    expect(await later.fullFor(1, NOON + 2 * HOUR_MS)).toBeNull();
    expect(kept.size).toBe(0);
  });
});
