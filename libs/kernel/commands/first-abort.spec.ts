import { firstAbort } from './first-abort.js';

type Listener = Parameters<AbortSignal['addEventListener']>[1];

describe('a signal that follows others', () => {
  const [stopped, late] = [new Error('stopped'), new Error('late')];
  /** The listeners of both sources. */
  const listeners = new Set<unknown>();
  const source = (): AbortController => {
    const controller = new AbortController();
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: Listener) => {
      listeners.add([signal, listener]);
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: Listener) => {
      for (const one of listeners)
        if (Array.isArray(one) && one[0] === signal && one[1] === listener) listeners.delete(one);
      remove(type, listener);
    };
    return controller;
  };
  let [one, other] = [source(), source()];
  beforeEach(() => {
    listeners.clear();
    [one, other] = [source(), source()];
  });

  it('aborts with the first of them, with its reason', () => {
    const { signal } = firstAbort(one.signal, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort(stopped);
    one.abort(late);
    expect(signal.reason).toBe(stopped);
  });

  it('has aborted if one of them had before', () => {
    other.abort(stopped);
    expect(firstAbort(one.signal, other.signal).signal.reason).toBe(stopped);
  });

  it('leaves no listener after its end, and none after an abort', () => {
    const ended = firstAbort(one.signal, other.signal);
    const aborted = firstAbort(one.signal, other.signal);
    expect(listeners.size).toBe(4);
    ended.end();
    expect(listeners.size).toBe(2);
    one.abort(stopped);
    expect(listeners.size).toBe(0);
    expect([ended.signal.aborted, aborted.signal.aborted]).toEqual([false, true]);
  });

  it('may follow one source many times at once, without a warning of a leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    try {
      const many = Array.from({ length: 50 }, () => firstAbort(one.signal, other.signal));
      // Node emits warnings in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      for (const each of many) each.end();
      expect([warnings, listeners.size]).toEqual([[], 0]);
    } finally {
      process.off('warning', note);
    }
  });
});
