/**
 * Sums by name, the source of a metric at each scrape. The number of names is limited and the rest is summed as
 * `other`: names that callers can choose must not create a time series each.
 */
export type Tally = {
  readonly add: (name: string, amount?: number) => void;
  readonly entries: () => Iterable<readonly [name: string, sum: number]>;
};

const MOST_NAMES = 100;
const OTHER = 'other';

export function tally(mostNames = MOST_NAMES): Tally {
  const sums = new Map<string, number>();
  return {
    add(name, amount = 1) {
      const known = sums.get(name);
      if (known !== undefined) sums.set(name, known + amount);
      else if (sums.size < mostNames) sums.set(name, amount);
      else sums.set(OTHER, (sums.get(OTHER) ?? 0) + amount);
    },
    entries: () => sums,
  };
}

/** A tally that begins with these names at 0: Prometheus sees no increase in the first value of a series. */
export function tallyOf(names: readonly string[]): Tally {
  const counted = tally();
  for (const name of names) counted.add(name, 0);
  return counted;
}
