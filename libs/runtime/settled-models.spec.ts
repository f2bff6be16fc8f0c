import { settledModels } from './settled-models.js';

/** Waits in which the slowest read model has read this many events each; the last wait succeeds if `ends`. */
function waits(read: readonly number[], { ends = false, halted = 0, stopsAfter = Infinity } = {}) {
  let made = 0;
  const asked: string[] = [];
  const settled = settledModels({
    head: async () => 'head',
    reached: async (position) => {
      asked.push(position);
      made += 1;
      return ends && made > read.length;
    },
    figures: async () => [
      { events: 1_000, isHalted: false },
      { events: read[made - 1] ?? 0, isHalted: false },
      { events: halted, isHalted: true },
    ],
    isStopping: () => made >= stopsAfter,
  });
  return settled.then((position) => ({ position, asked: asked.length }));
}

describe('settledModels', () => {
  it('OPS-18 waits for a backlog as long as the slowest read model goes on', async () => {
    expect(await waits([], { ends: true })).toEqual({ position: 'head', asked: 1 });
    expect(await waits([0, 10, 20, 900], { ends: true })).toEqual({ position: 'head', asked: 5 });
  });

  it('OPS-18 ends when the slowest read model has read nothing since the wait before', async () => {
    expect(await waits([0, 10, 10, 20], { ends: true })).toEqual({ position: null, asked: 3 });
    expect(await waits([0, 0], { ends: true })).toEqual({ position: null, asked: 2 });
  });

  it('a halted read model is not one of them', async () => {
    expect(await waits([5, 6, 7], { ends: true, halted: 5 })).toEqual({ position: 'head', asked: 4 });
  });

  it('ends when the service stops', async () => {
    expect(await waits([1, 2, 3, 4], { stopsAfter: 2 })).toEqual({ position: null, asked: 2 });
  });
});
