import { streamCache, type StreamCache } from './stream-cache.js';

const BYTES = 100;
/** Room for eight newcomers beside 56 regulars. */
const MOST_BYTES = 64 * BYTES;

class Entry {
  idle = true;
  isDropped = false;
  constructor(readonly weigh: (difference: number) => void) {
    weigh(BYTES);
  }
  discard(): boolean {
    this.weigh(-BYTES);
    this.isDropped = true;
    return true;
  }
}

describe('the cache of streams', () => {
  let cache: StreamCache<Entry>;
  beforeEach(() => {
    cache = streamCache<Entry>(MOST_BYTES);
  });
  const use = (stream: string): Entry => {
    const entry = cache.use(stream) ?? cache.add(stream, (weigh) => new Entry(weigh));
    cache.evict();
    return entry;
  };
  const useOnce = (name: string, count: number): void => {
    for (let at = 0; at < count; at += 1) use(`${name}-${at}`);
  };
  const isKept = (stream: string): boolean => cache.use(stream) !== undefined;

  it('drops the oldest of the streams that are used once, and keeps an eighth of the bound of them', () => {
    useOnce('once', 1_000);
    const kept = Array.from({ length: 1_000 }, (_, at) => at).filter((at) => isKept(`once-${at}`));
    expect(kept).toEqual([992, 993, 994, 995, 996, 997, 998, 999]);
  });

  it('keeps a stream that comes back after it was dropped while a thousand others come once', () => {
    use('back');
    useOnce('first', 20);
    use('back');
    useOnce('then', 1_000);
    expect(isKept('back')).toBe(true);
  });

  it('keeps a stream that was used often while it was new', () => {
    for (let times = 0; times < 10; times += 1) use('often');
    useOnce('then', 1_000);
    expect(isKept('often')).toBe(true);
  });

  it('drops a stream that one command used three times as one that was used once', () => {
    for (let times = 0; times < 3; times += 1) use('command');
    useOnce('then', 20);
    expect(isKept('command')).toBe(false);
  });

  it('drops regulars that were not used since the last pass, and keeps the others', () => {
    const regulars = Array.from({ length: 60 }, (_, at) => `regular-${at}`);
    for (const stream of regulars) for (let times = 0; times < 10; times += 1) use(stream);
    useOnce('then', 10);
    for (let round = 0; round < 20; round += 1) {
      use('regular-59');
      for (let times = 0; times < 10; times += 1) use(`late-${round}`);
      useOnce(`${round}`, 10);
    }
    expect(isKept('regular-59')).toBe(true);
    const left = regulars.filter(isKept).length;
    expect(left).toBeLessThan(60);
    expect(left).toBeGreaterThan(20);
  });

  it('drops no entry that is not idle', () => {
    const busy = use('busy');
    busy.idle = false;
    useOnce('once', 1_000);
    expect(busy.isDropped).toBe(false);
    expect(cache.use('busy')).toBe(busy);
    busy.idle = true;
    useOnce('then', 1_000);
    expect(busy.isDropped).toBe(true);
  });

  it('forgets all idle entries and reports the others', () => {
    const [idle, busy] = [use('idle'), use('busy')];
    busy.idle = false;
    const reported: Entry[] = [];
    cache.forget((entry) => reported.push(entry));
    expect(reported).toEqual([busy]);
    expect([idle.isDropped, isKept('idle'), isKept('busy')]).toEqual([true, false, true]);
  });

  it('keeps nothing that is idle with a bound of zero', () => {
    cache = streamCache<Entry>(0);
    const entry = use('any');
    expect(entry.isDropped).toBe(true);
    expect(isKept('any')).toBe(false);
  });
});
