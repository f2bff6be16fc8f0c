import { seededRandom } from '#test/support/seeded-random.js';

/** Choices that depend only on the seed. */
export class Random {
  /** At least 0, below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  /** An integer of at least 0, below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  oneOf<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }
}
