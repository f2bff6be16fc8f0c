import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { waitForStores } from './wait-for-stores.js';

/** A clock that advances only while something waits. */
function waiting(patienceMs: number, stopping?: AbortSignal) {
  let now = 0;
  const lines: string[] = [];
  return {
    lines,
    now: () => now,
    pass: (ms: number) => (now += ms),
    wait: {
      patienceMs,
      stopping,
      onWait: (reason: string, secondsLeft: number) =>
        lines.push(`${now / 1_000} s: ${reason}, ${secondsLeft} left`),
      nowMs: () => now,
      pause: async (ms: number) => void (now += ms),
    },
  };
}
const gone = () => new StoreUnavailable('READ_STORE_URL: nobody answers');

describe('OPS-34 the start waits for its stores', () => {
  it('opens them as soon as they are available, and reports the wait immediately and every 5 s', async () => {
    const { wait, now, lines } = waiting(60_000);
    const opened = await waitForStores(async () => {
      if (now() < 11_000) throw gone();
      return 'opened';
    }, wait);
    expect([opened, now()]).toEqual(['opened', 11_000]);
    expect(lines).toEqual([
      '0 s: READ_STORE_URL: nobody answers, 60 left',
      '5 s: READ_STORE_URL: nobody answers, 55 left',
      '10 s: READ_STORE_URL: nobody answers, 50 left',
    ]);
  });

  it('rejects with the reason after the time limit', async () => {
    const { wait, now } = waiting(2_000);
    await expect(waitForStores(() => Promise.reject(gone()), wait)).rejects.toThrow('nobody answers');
    expect(now()).toBe(2_000);
  });

  it('does not wait with a time limit of 0 or for a permanent error', async () => {
    const none = waiting(0);
    await expect(waitForStores(() => Promise.reject(gone()), none.wait)).rejects.toThrow('nobody answers');
    const broken = waiting(60_000);
    const refused = () => Promise.reject(new StoreUnusable('not ours'));
    await expect(waitForStores(refused, broken.wait)).rejects.toThrow('not ours');
    expect([none.lines, broken.lines, none.now(), broken.now()]).toEqual([[], [], 0, 0]);
  });

  it('ends when the process is stopped', async () => {
    const stop = new AbortController();
    const { wait, now } = waiting(60_000, stop.signal);
    const open = async (): Promise<never> => {
      if (now() >= 1_000) stop.abort();
      throw gone();
    };
    await expect(waitForStores(open, wait)).rejects.toThrow('nobody answers');
    expect(now()).toBe(1_000);
  });
});
