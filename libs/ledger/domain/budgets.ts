import { fromStored, type Credits } from '#kernel/values/credits.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import type { Recorded } from '#kernel/events/event.js';
import type { JournaledMap } from '#kernel/commands/journaled-map.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import type { Cause, CreditPayloads } from './credits.events.js';

/** The maximum that a launch may spend, over all of its runs. */
export type Budget = {
  readonly launchId: number;
  readonly limit: Credits;
  /** Held or captured credits; released credits are subtracted. */
  readonly spent: Credits;
  /** When the launch ended; null while it runs. */
  readonly closedAt: string | null;
  /** The nonce of the quote that approved the launch; absent if there is none. */
  readonly quote?: string;
};

export type Budgets = JournaledMap<number, Budget>;

/** The budget of a launch as its holds name it. */
export type LaunchBudget = {
  readonly launchId: number;
  readonly limit: Credits;
  /** The nonce of the quote that approved the launch. One quote is the budget of one launch. */
  readonly quote?: string;
};

/** A stopped worker may continue this long after its launch ended. Its holds then find the closed budget. */
const KEPT_CLOSED_MS = 48 * HOUR_MS;

/** Opens the budget of a launch with its first hold, and removes budgets that ended long ago. */
export function openBudget(budgets: Budgets, entry: Recorded<CreditPayloads['BudgetOpened']>): void {
  const { launchId, credits, quote } = entry.data;
  const now = Date.parse(recordedAtOf(entry));
  for (const { launchId: id, closedAt } of budgets.values())
    if (closedAt !== null && now - Date.parse(closedAt) > KEPT_CLOSED_MS) budgets.delete(id);
  budgets.set(launchId, {
    launchId,
    limit: fromStored(credits),
    spent: 0n,
    closedAt: null,
    ...(quote === undefined ? {} : { quote }),
  });
}

export function closeBudget(budgets: Budgets, entry: Recorded<CreditPayloads['BudgetClosed']>): void {
  const budget = budgets.get(entry.data.launchId);
  if (budget !== undefined) budgets.set(budget.launchId, { ...budget, closedAt: recordedAtOf(entry) });
}

/** Adds held credits to the budget of the cause's launch; a release is a negative amount. */
export function countForBudget(budgets: Budgets, { launchId }: Cause, credits: Credits): void {
  const budget = launchId === undefined ? undefined : budgets.get(launchId);
  if (budget !== undefined) budgets.set(budget.launchId, { ...budget, spent: budget.spent + credits });
}

/** The rest of a launch's budget, even if the launch has ended. */
export function budgetRest(budgets: ReadonlyMap<number, Budget>, { launchId, limit }: LaunchBudget): Credits {
  const budget = budgets.get(launchId);
  return budget === undefined ? limit : budget.limit - budget.spent;
}

/** What a launch may still hold: nothing if it has ended, or if its quote is the budget of another launch. */
export function budgetLeft(budgets: ReadonlyMap<number, Budget>, budget: LaunchBudget): Credits {
  if (isSpentElsewhere(budgets, budget)) return 0n;
  const isClosed = (budgets.get(budget.launchId)?.closedAt ?? null) !== null;
  return isClosed ? 0n : budgetRest(budgets, budget);
}

function isSpentElsewhere(budgets: ReadonlyMap<number, Budget>, { launchId, quote }: LaunchBudget): boolean {
  if (quote === undefined) return false;
  for (const other of budgets.values()) if (other.quote === quote && other.launchId !== launchId) return true;
  return false;
}
