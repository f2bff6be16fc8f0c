import { requestSlots } from './request-slots.js';

const LIMITS = { healthy: 2, troubled: 1, slow: 1, slowAfterMs: 1_000 };

describe('DLV-05 the requests of a process', () => {
  /** Timers that a test fires. */
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

  it('are limited, and the longest waiter is woken when one ends', () => {
    const { take, woken } = opened();
    const [one, two] = [take('a'), take('b')];
    expect([take('c'), take('d')]).toEqual([null, null]);
    one?.();
    two?.();
    expect(woken).toEqual(['c', 'd']);
    expect([take('c'), take('d'), take('e')]).toEqual([expect.any(Function), expect.any(Function), null]);
  });

  it('are offered to all waiters if the longest one does not use the free slot', () => {
    const { take, woken, pass } = opened();
    const first = take('failing', true);
    expect(['a', 'b', 'c'].map((name) => take(name, true))).toEqual([null, null, null]);
    first?.();
    expect(woken).toEqual(['a']);
    // The endpoint of the first waiter has nothing to send any more.
    pass();
    expect(woken).toEqual(['a', 'b', 'c']);
    const second = take('b', true);
    expect(['c', 'd'].map((name) => take(name, true))).toEqual([null, null]);
    second?.();
    expect(take('c', true)).toEqual(expect.any(Function));
    pass();
    expect(woken).toEqual(['a', 'b', 'c', 'c']);
  });

  it('are offered to all waiters each time that the longest one does not use the free slot', () => {
    const { take, woken, pass } = opened();
    for (const name of ['a', 'b']) {
      const end = take('failing', true);
      expect([take(name, true), take(`${name} too`, true)]).toEqual([null, null]);
      end?.();
      pass();
      expect(woken.splice(0)).toEqual([name, `${name} too`]);
    }
  });

  it('that have ended, or go to failing endpoints, leave no slot to others after a second', () => {
    const { take, pass } = opened();
    take('ends')?.();
    expect(take('failing', true)).toEqual(expect.any(Function));
    pass();
    expect([take('a'), take('b'), take('c')]).toEqual([expect.any(Function), expect.any(Function), null]);
    expect(take('failing too', true)).toBe(null);
  });

  it('to failing endpoints take no slots from healthy ones', () => {
    const { take } = opened();
    expect([take('failing', true), take('failing too', true)]).toEqual([expect.any(Function), null]);
    expect([take('a'), take('b')]).toEqual([expect.any(Function), expect.any(Function)]);
  });

  it('that are slow give their slot to others while slow slots are left, and end like any other', () => {
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
