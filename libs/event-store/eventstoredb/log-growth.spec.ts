import { START, type Position } from '#kernel/ports/event-store.port.js';
import { logGrowth } from './log-growth.js';

const HEARTBEAT_MS = 100;

describe('the growth of the log of a server', () => {
  let now = 0;
  let end: Position = START;
  let looks = 0;
  const head = {
    end: async () => {
      looks += 1;
      return end;
    },
  };
  const begin = (at: Position) => {
    [now, end, looks] = [0, at, 0];
    const growth = logGrowth(head, { heartbeatMs: HEARTBEAT_MS, now: () => now });
    growth.saw(at);
    return growth;
  };

  it('is read once for all subscriptions, and once a second while the log is quiet', async () => {
    const growth = begin('b');
    for (let beats = 0; beats < 600; beats += 1) {
      now += HEARTBEAT_MS;
      expect(await Promise.all([growth.past('b'), growth.past('b'), growth.past('b')])).toEqual([
        null,
        null,
        null,
      ]);
    }
    // More often in the first seconds.
    expect(looks).toBeGreaterThan(60);
    expect(looks).toBeLessThan(75);
  });

  it('is read at each heartbeat again after an event of another process', async () => {
    const growth = begin('b');
    for (now = HEARTBEAT_MS; now < 60_000; now += HEARTBEAT_MS) await growth.past('b');
    end = 'c';
    let found: Position | null = null;
    for (let beats = 0; beats < 10 && found === null; beats += 1) {
      now += HEARTBEAT_MS;
      found = await growth.past('b');
    }
    expect(found).toBe('c');
    looks = 0;
    for (let each = 0; each < 3; each += 1) {
      now += HEARTBEAT_MS;
      await growth.past('c');
    }
    expect(looks).toBe(3);
  });

  it('is read at once past an event that this process has seen', async () => {
    const growth = begin('b');
    end = 'd';
    expect(await growth.past('b')).toBeNull();
    growth.saw('c');
    expect(await growth.past('b')).toBe('d');
    expect(await growth.past('d')).toBeNull();
    expect(looks).toBe(1);
  });

  it('is not read by the heartbeat while this process sees events', async () => {
    const growth = begin('b');
    for (const position of ['c', 'd', 'e', 'f']) {
      now += HEARTBEAT_MS - 1;
      growth.saw(position);
      expect(await growth.past(position)).toBeNull();
    }
    expect(looks).toBe(0);
  });

  it('is not read again and again for an event that the log has lost', async () => {
    const growth = begin('b');
    growth.saw('z');
    expect(await growth.past('b')).toBeNull();
    expect(await growth.past('b')).toBeNull();
    expect(looks).toBe(1);
  });

  it('keeps an event that is seen while the end is read', async () => {
    const answers: ((end: Position) => void)[] = [];
    const slow = { end: () => new Promise<Position>((resolve) => answers.push(resolve)) };
    const growth = logGrowth(slow, { heartbeatMs: HEARTBEAT_MS, now: () => 0 });
    growth.saw('c');
    const first = growth.past('b');
    growth.saw('d');
    answers[0]?.('b');
    expect(await first).toBeNull();
    const second = growth.past('b');
    answers[1]?.('d');
    expect(await second).toBe('d');
  });

  it('is read again after a read that failed', async () => {
    let failures = 1;
    const failing = {
      end: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        return 'c';
      },
    };
    const growth = logGrowth(failing, { heartbeatMs: HEARTBEAT_MS, now: () => 0 });
    growth.saw('c');
    await expect(growth.past('b')).rejects.toThrow('away');
    expect(await growth.past('b')).toBe('c');
  });
});
