import { getEventListeners } from 'node:events';
import { firstAbort } from './first-abort.js';

describe('a signal that follows others', () => {
  const [stopped, late] = [new Error('stopped'), new Error('late')];
  let [one, other] = [new AbortController(), new AbortController()];
  beforeEach(() => {
    [one, other] = [new AbortController(), new AbortController()];
  });
  const listeners = (): number =>
    [one, other].reduce((sum, { signal }) => sum + getEventListeners(signal, 'abort').length, 0);

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
    expect(listeners()).toBe(4);
    ended.end();
    expect(listeners()).toBe(2);
    one.abort(stopped);
    expect(listeners()).toBe(0);
    expect([ended.signal.aborted, aborted.signal.aborted]).toEqual([false, true]);
  });
});
