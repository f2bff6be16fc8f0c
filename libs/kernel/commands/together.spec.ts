import { together } from './together.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('calls of one turn of the event loop', () => {
  it('are combined, and each gets its own answer', async () => {
    const asked: (readonly number[])[] = [];
    const double = together(async (all: readonly number[]) => {
      asked.push(all);
      return all.map((one) => 2 * one);
    });
    const first = double(1);
    const second = Promise.resolve().then(() => double(2));
    expect(await Promise.all([first, second])).toEqual([2, 4]);
    await nextTurn();
    expect(await double(3)).toBe(6);
    expect(asked).toEqual([[1, 2], [3]]);
  });

  it('fail together, and later calls are sent again', async () => {
    let isDown = true;
    const ask = together(async (all: readonly string[]) => {
      if (isDown) throw new Error('down');
      return all;
    });
    const failed = await Promise.allSettled([ask('a'), ask('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect(await ask('c')).toBe('c');
  });
});
