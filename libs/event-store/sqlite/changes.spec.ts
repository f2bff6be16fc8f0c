import { mock } from 'node:test';
import { watchChanges } from './changes.js';

describe('the watch for appends of other processes', () => {
  const POLL_MS = 25;
  let version: number;
  let looks: number;
  let othersWrites: number;
  let notify: (() => void) | null;
  const watched = (hasNotifications: boolean) =>
    watchChanges({
      othersVersion: () => {
        looks += 1;
        return version;
      },
      pollMs: POLL_MS,
      watchWrites: (written) => {
        if (!hasNotifications) return null;
        notify = written;
        return () => (notify = null);
      },
      onOthersWrite: () => (othersWrites += 1),
    });
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [version, looks, othersWrites, notify] = [1, 0, 0, null];
  });
  afterEach(() => mock.timers.reset());

  async function isSettled(promise: Promise<void>): Promise<boolean> {
    let settled = false;
    void promise.then(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    return settled;
  }
  /** Step by step: a timer that is set on the way runs too. */
  const advance = (ms: number): void => {
    for (let at = 0; at < ms; at += POLL_MS) mock.timers.tick(POLL_MS);
  };
  const looksWithin = (ms: number): number => {
    const before = looks;
    advance(ms);
    return looks - before;
  };
  const never = new AbortController().signal;
  /** A watch with a reader that waits for the next append. */
  const waitingReader = (hasNotifications = true) => {
    const changes = watched(hasNotifications);
    return { changes, waiting: changes.after(changes.count(), never) };
  };

  it('checks often at first, and rarely once no appends arrive and notifications work', async () => {
    const { changes, waiting } = waitingReader();
    expect(looksWithin(900)).toBe(36);
    advance(600);
    expect(looksWithin(10_000)).toBe(20);
    expect(await isSettled(waiting)).toBe(false);
    changes.close();
  });

  it('resolves waiting readers immediately on a notification, and stays subscribed while others write', async () => {
    const { changes, waiting } = waitingReader();
    advance(5_000);
    version = 2;
    notify?.();
    expect(await isSettled(waiting)).toBe(true);
    const next = changes.after(changes.count(), never);
    expect(await isSettled(next)).toBe(false);
    version = 3;
    notify?.();
    expect(await isSettled(next)).toBe(true);
    changes.close();
  });

  it('subscribes to notifications at the first write of another process', async () => {
    const { changes, waiting } = waitingReader();
    expect(notify).toBe(null);
    version = 2;
    advance(POLL_MS);
    expect(await isSettled(waiting)).toBe(true);
    expect(notify).not.toBe(null);
    changes.close();
    expect(notify).toBe(null);
  });

  it('checks at short intervals after a notification of a write that is not visible yet, then at the normal interval', async () => {
    const { changes, waiting } = waitingReader();
    advance(5_000);
    notify?.();
    expect(await isSettled(waiting)).toBe(false);
    const before = looks;
    for (let ms = 0; ms < 62; ms += 1) mock.timers.tick(1);
    expect(looks - before).toBe(10);
    expect(looksWithin(900)).toBe(36);
    notify?.();
    version = 2;
    mock.timers.tick(1);
    expect(await isSettled(waiting)).toBe(true);
    changes.close();
  });

  it('does not subscribe as the only writer, and subscribes if others write', async () => {
    const changes = watched(true);
    void changes.after(changes.count(), never);
    advance(5_000);
    changes.announce();
    expect(notify).toBe(null);
    expect(othersWrites).toBe(0);
    const waiting = changes.after(changes.count(), never);
    version = 2;
    advance(POLL_MS);
    expect(await isSettled(waiting)).toBe(true);
    expect(othersWrites).toBe(1);
    changes.announce();
    expect(notify).not.toBe(null);
    changes.close();
  });

  it('finds a write with a lost notification after 500 ms', async () => {
    const { waiting } = waitingReader();
    advance(5_000);
    version = 2;
    advance(500);
    expect(await isSettled(waiting)).toBe(true);
  });

  it('keeps checking often without notifications', async () => {
    const { changes, waiting } = waitingReader(false);
    advance(5_000);
    expect(looksWithin(1_000)).toBe(40);
    changes.close();
    expect(await isSettled(waiting)).toBe(true);
    expect(looksWithin(1_000)).toBe(0);
  });

  it('lets no reader wait that has ended before, or that begins after the close', async () => {
    const changes = watched(true);
    expect(await isSettled(changes.after(changes.count(), AbortSignal.abort()))).toBe(true);
    changes.close();
    expect(await isSettled(changes.after(changes.count(), never))).toBe(true);
    expect(looksWithin(1_000)).toBe(0);
  });

  it('stops watching and checking when no reader waits', async () => {
    const changes = watched(true);
    const ended = new AbortController();
    const waiting = changes.after(changes.count(), ended.signal);
    advance(5_000);
    expect(notify).not.toBe(null);
    ended.abort();
    expect(await isSettled(waiting)).toBe(true);
    advance(1_000);
    expect(notify).toBe(null);
    expect(looksWithin(60_000)).toBe(0);
  });
});
