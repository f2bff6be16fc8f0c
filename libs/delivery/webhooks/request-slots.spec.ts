import { requestSlots } from './request-slots.js';

const LIMITS = { healthy: 2, troubled: 1, slow: 1, slowAfterMs: 1_000 };

describe('DLV-05 the requests of a process', () => {
  /** Timers that a test ends. */
  function opened() {
    const timers = new Set<() => void>();
    const slots = requestSlots(LIMITS, (_, act) => {
      timers.add(act);
      return () => void timers.delete(act);
    });
    const woken: string[] = [];
    const take = (name: string, isTroubled = false) => slots.take(isTroubled, () => woken.push(name));
    const pass = (): void => {
      for (const act of [...timers]) {
        timers.delete(act);
        act();
      }
    };
    return { take, woken, pass };
  }

  it('are limited, and who waits longest is woken when one ends', () => {
    const { take, woken } = opened();
    const [one, two] = [take('a'), take('b')];
    expect([take('c'), take('d')]).toEqual([null, null]);
    one?.();
    two?.();
    expect(woken).toEqual(['c', 'd']);
    expect([take('c'), take('d'), take('e')]).toEqual([expect.any(Function), expect.any(Function), null]);
  });

  it('of endpoints that fail take nothing from those that answer', () => {
    const { take } = opened();
    expect([take('failing', true), take('failing too', true)]).toEqual([expect.any(Function), null]);
    expect([take('a'), take('b')]).toEqual([expect.any(Function), expect.any(Function)]);
  });

  it('that have no answer after a while give their slot to others, as many as may, and end like any other', () => {
    const { take, woken, pass } = opened();
    const [first, second] = [take('hangs'), take('hangs too')];
    expect(take('waits')).toBe(null);
    pass();
    expect(woken).toEqual(['waits']);
    const third = take('waits');
    expect([third, take('waits as well')]).toEqual([expect.any(Function), null]);
    first?.();
    second?.();
    third?.();
    expect([take('a'), take('b'), take('c')]).toEqual([expect.any(Function), expect.any(Function), null]);
  });
});
