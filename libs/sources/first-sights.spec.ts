import { firstSights } from './first-sights.js';

describe('ids that are seen for the first time', () => {
  it('are told from those that were seen before, in any number', () => {
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
    const used = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external;
    const before = used();
    for (let id = 0; id < 300; id += 1) isFirst(`${id}${'x'.repeat(1024 * 1024)}`);
    expect(used() - before).toBeLessThan(250 * 1024 * 1024);
  });
});
