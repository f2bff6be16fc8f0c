import { shareWorkers } from './share-workers.js';

describe('the workers that get a share', () => {
  let nowMs = 1_000;
  let there: readonly string[] = [];
  const opened = () =>
    shareWorkers(
      async () => there,
      1_000,
      () => nowMs,
    );

  it('are those of two looks, so that workers that start together are one change', async () => {
    const workers = opened();
    there = ['one'];
    await workers.look();
    there = ['one', 'two'];
    await workers.look();
    expect([workers.able(), workers.isThere('two')]).toEqual([[], true]);
    await workers.look();
    expect(workers.able()).toEqual(['one', 'two']);
  });

  it('leave out for a time the one that did not project its share', async () => {
    const workers = opened();
    there = ['one', 'two'];
    await workers.look();
    await workers.look();
    workers.leaveOut('one');
    expect(workers.able()).toEqual(['two']);
    nowMs += 999;
    expect(workers.able()).toEqual(['two']);
    nowMs += 1;
    expect(workers.able()).toEqual(['one', 'two']);
  });
});
