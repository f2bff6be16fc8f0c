import { everyBeat } from './beat.js';

describe('a beat', () => {
  it('calls all who want it in one go, each until it has had enough, and begins again for the next', async () => {
    const told: string[] = [];
    const ends: (() => void)[] = [];
    await new Promise<void>((done) => {
      const first = (): void => {
        told.push('a');
        process.nextTick(() => told.push('then'));
      };
      const last = (): void => {
        told.push('b');
        ends[0]?.();
        // Twice is once: the beat of the others goes on.
        ends[0]?.();
        if (told.filter((each) => each === 'b').length === 2) setImmediate(done);
      };
      ends.push(everyBeat(5, first), everyBeat(5, first), everyBeat(5, last));
    });
    for (const end of ends) end();
    expect(told).toEqual(['a', 'a', 'b', 'then', 'then', 'a', 'b', 'then']);

    await new Promise<void>((done) => {
      const end = everyBeat(5, () => {
        end();
        done();
      });
    });
    expect(told).toHaveLength(8);
  });
});
