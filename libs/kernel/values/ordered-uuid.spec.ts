import { orderedUuid } from './ordered-uuid.js';

describe('ids in the order of time', () => {
  it('are unique ids of version 7', () => {
    const ids = Array.from({ length: 100 }, () => orderedUuid(1_767_607_200_000));
    for (const id of ids) expect(id).toMatch(/^019b8d99-6900-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(100);
  });

  it('sort by the millisecond of their creation', () => {
    const times = [0, 1, 255, 256, 1_767_607_200_000, 1_767_607_200_001, 2 ** 48 - 1];
    const ids = times.map(orderedUuid);
    expect(ids.toSorted()).toEqual(ids);
  });
});
