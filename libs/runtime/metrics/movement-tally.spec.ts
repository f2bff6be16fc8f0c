import { movementTally, type ChargedProduct } from './movement-tally.js';
import { tally } from './tally.js';

const mapping: ChargedProduct = { product: 'account_mapping', credits: '1500000' };
const discovery: ChargedProduct = { product: 'discovery_essential', credits: '10000000' };

describe('a tally', () => {
  it('sums by name, and sums names above the limit as other', () => {
    const counted = tally(2);
    counted.add('a');
    counted.add('b', 5);
    counted.add('c', 2);
    counted.add('a', 3);
    counted.add('d');
    expect([...counted.entries()]).toEqual([
      ['a', 4],
      ['b', 5],
      ['other', 3],
    ]);
  });
});

describe('the tally of movements', () => {
  it('has the product of an end if it has counted the hold, and looks up others at a scrape', async () => {
    const movements = movementTally();
    movements.hold(1, mapping);
    movements.hold(2, discovery);
    movements.end('captured', 1);
    movements.end('released', 2);
    movements.end('captured', 77);
    movements.end('captured', 78);
    expect([...movements.held.credits.entries()]).toEqual([
      ['account_mapping', 1.5],
      ['discovery_essential', 10],
    ]);
    expect([...movements.captured.movements.entries()]).toEqual([['account_mapping', 1]]);
    expect([...movements.released.credits.entries()]).toEqual([['discovery_essential', 10]]);

    const asked: (readonly number[])[] = [];
    const known = new Map([[77, discovery]]);
    const find = async (ids: readonly number[]) => {
      asked.push(ids);
      // ends while the look-up is under way
      if (asked.length === 1) movements.end('captured', 79);
      return known;
    };
    // several metrics ask at the same time
    await Promise.all([movements.resolve(find), movements.resolve(find)]);
    known.set(78, mapping).set(79, mapping);
    await movements.resolve(find);
    await movements.resolve(find);
    expect(asked).toEqual([
      [77, 78],
      [78, 79],
    ]);
    expect([...movements.captured.movements.entries()]).toEqual([
      ['account_mapping', 3],
      ['discovery_essential', 1],
    ]);
  });

  it('is bounded: old holds are looked up again, and ends without a look-up in time are counted without a product', async () => {
    const movements = movementTally(2);
    for (const id of [1, 2, 3]) movements.hold(id, mapping);
    movements.end('captured', 1);
    movements.end('captured', 50);
    movements.end('captured', 51);
    movements.end('captured', 3);
    expect([...movements.captured.movements.entries()]).toEqual([
      ['unknown', 1],
      ['account_mapping', 1],
    ]);
    await movements.resolve(async () => new Map([[1, discovery]]));
    expect([...movements.captured.movements.entries()]).toContainEqual(['discovery_essential', 1]);
  });

  it('keeps pending ends if the look-up fails', async () => {
    const movements = movementTally();
    movements.end('released', 9);
    await expect(movements.resolve(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await movements.resolve(async () => new Map([[9, mapping]]));
    expect([...movements.released.movements.entries()]).toEqual([['account_mapping', 1]]);
  });
});
