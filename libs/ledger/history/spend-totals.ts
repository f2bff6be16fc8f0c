import { toJsonNumber, type Credits } from '#kernel/values/credits.js';

/** Sums of credits by name. */
export type SpendTotals = Map<string, Credits>;

export function addSpend(totals: SpendTotals, name: string, credits: Credits): void {
  totals.set(name, (totals.get(name) ?? 0n) + credits);
}

export type AmountsByName = { readonly [name: string]: number };

/** JSON numbers by name, names in code point order, so that equal sums have equal bytes. */
export function amountsOf(totals: SpendTotals): AmountsByName {
  const sorted = [...totals].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, credits]) => [name, toJsonNumber(credits)]));
}
