import { everyBeat, untilBeat } from './beat.js';

describe('a beat', () => {
  it('calls all who want it in one go, each until it has had enough, and begins again for the next', async () => {
    const calls: string[] = [];
    const ends: (() => void)[] = [];
    await new Promise<void>((done) => {
      const first = (): void => {
        calls.push('a');
        process.nextTick(() => calls.push('then'));
      };
      const last = (): void => {
        calls.push('b');
        ends[0]?.();
        // A second end has no effect: the beat of the others continues.
        ends[0]?.();
        if (calls.filter((each) => each === 'b').length === 2) setImmediate(done);
      };
      ends.push(everyBeat(5, first), everyBeat(5, first), everyBeat(5, last));
    });
    for (const end of ends) end();
    expect(calls).toEqual(['a', 'a', 'b', 'then', 'then', 'a', 'b', 'then']);

    await new Promise<void>((done) => {
      const end = everyBeat(5, () => {
        end();
        done();
      });
    });
    expect(calls).toHaveLength(8);
  });

  it('is waited for once, or until that is called off', async () => {
    let beats = 0;
    const end = everyBeat(5, () => (beats += 1));
    await untilBeat(5, new AbortController().signal);
    expect(beats).toBe(1);
    await untilBeat(5, new AbortController().signal);
    expect(beats).toBe(2);
    end();

    const off = new AbortController();
    const waits = untilBeat(3_600_000, off.signal);
    off.abort();
    await waits;
    await untilBeat(3_600_000, off.signal);
  });
});
