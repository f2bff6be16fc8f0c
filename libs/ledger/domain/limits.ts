import { fromStored, toStored } from '#kernel/values/credits.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import type { Budget, Budgets } from './budgets.js';
import type { Cap, Caps } from './caps.js';

/** What limits holds besides the balance. */
export type Limits = { readonly caps: Caps; readonly budgets: Budgets };

type StoredCounted = { readonly from: string; readonly spent: string; readonly isReached: boolean };
type StoredCap = Omit<Cap, 'limit' | 'counted'> & {
  readonly limit: string;
  readonly counted: StoredCounted | null;
};
type StoredBudget = Omit<Budget, 'limit' | 'spent'> & { readonly limit: string; readonly spent: string };

/** Limits as JSON. */
export type StoredLimits = { readonly caps: readonly StoredCap[]; readonly budgets: readonly StoredBudget[] };

export const emptyLimits = (): Limits => ({ caps: new JournaledMap(), budgets: new JournaledMap() });

/** Null if there is nothing to store. */
export function toStoredLimits({ caps, budgets }: Limits): StoredLimits | null {
  if (caps.size + budgets.size === 0) return null;
  return {
    caps: [...caps.values()].map((cap) => ({
      ...cap,
      limit: toStored(cap.limit),
      counted: cap.counted && { ...cap.counted, spent: toStored(cap.counted.spent) },
    })),
    budgets: [...budgets.values()].map((budget) => ({
      ...budget,
      limit: toStored(budget.limit),
      spent: toStored(budget.spent),
    })),
  };
}

/** Restores stored limits into empty ones. */
export function restoreLimits(limits: Limits, { caps, budgets }: StoredLimits): void {
  for (const cap of caps) {
    const counted = cap.counted && { ...cap.counted, spent: fromStored(cap.counted.spent) };
    limits.caps.set(cap.id, { ...cap, limit: fromStored(cap.limit), counted });
  }
  for (const budget of budgets) {
    const { limit, spent } = budget;
    limits.budgets.set(budget.launchId, { ...budget, limit: fromStored(limit), spent: fromStored(spent) });
  }
}
