import { sideBySide } from './side-by-side.js';

describe('work side by side', () => {
  it('never processes more items at once than its width, and returns results in the order of the items', async () => {
    let underWay = 0;
    let most = 0;
    const answers = await sideBySide([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, (underWay += 1));
      for (let turn = item; turn < 8; turn += 1) await Promise.resolve();
      underWay -= 1;
      return item * 10;
    });
    expect(answers).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(most).toBe(3);
    expect(await sideBySide([], 3, () => Promise.reject(new Error('nothing to do')))).toEqual([]);
  });

  it('rejects with the first failure after the concurrent items have ended, and starts no further item', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const working = sideBySide([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('the first');
      await Promise.resolve();
      ended.push(item);
    });
    await expect(working).rejects.toThrow('the first');
    expect([begun, ended]).toEqual([[1, 2], [2]]);
  });
});
