import { liveKeys } from './live-keys.js';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-06-01T12:00:00Z');

/** Records as a read store keeps them, in key order. */
function records() {
  const kept = new Map<string, number>();
  let isAway = false;
  const unlessAway = async <Result>(work: () => Result): Promise<Result> => {
    if (isAway) throw new Error('the read store is away');
    return work();
  };
  const reads = {
    listRecords: <T>(_kind: string, prefix: string) =>
      unlessAway(() =>
        [...kept]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => ({ key, value: value as T })),
      ),
    putRecord: (_kind: string, key: string, value: unknown) =>
      unlessAway(() => void kept.set(key, Number(value))),
    deleteRecord: (_kind: string, key: string) => unlessAway(() => void kept.delete(key)),
  };
  return { kept, reads, goAway: (away: boolean) => (isAway = away) };
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
