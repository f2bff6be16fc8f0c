import { firstSights } from '#sources/first-sights.js';
import { keptBytes } from '#test/support/kept-memory.js';

describe('ids that are seen for the first time', () => {
  it('are distinguished from those that were seen before, in any number', () => {
    const isFirst = firstSights();
    // More than one table holds.
    const count = 900_000;
    let first = 0;
    for (let id = 0; id < count; id += 1) first += Number(isFirst(`person-${id}`));
    let again = 0;
    for (let id = 0; id < count; id += 7) again += Number(isFirst(`person-${id}`));
    expect([first, again, isFirst(''), isFirst('')]).toEqual([count, 0, true, false]);
  });

  it('keep nothing of long ids', () => {
    const isFirst = firstSights();
    const before = keptBytes();
    for (let id = 0; id < 100; id += 1) isFirst(`${id}${'x'.repeat(1024 * 1024)}`);
    expect(keptBytes() - before).toBeLessThan(50 * 1024 * 1024);
  });
});
