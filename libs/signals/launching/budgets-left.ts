import { toStored } from '#kernel/values/credits.js';
import type { Commands } from '#kernel/commands/commands.js';
import { budgetRest } from '#ledger/domain/budgets.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { SignalRunDocument } from '#projections/signals/signal-runs/signal-runs.projection.js';

/**
 * By launch, the rest of the limits of these runs' launches, as stored text, if the ledger still knows the launch.
 */
export async function budgetsLeft(
  commands: Commands,
  workspaceId: number,
  runs: readonly SignalRunDocument[],
): Promise<ReadonlyMap<number, string>> {
  const limited = runs.filter(({ maxCredits }) => maxCredits !== null);
  if (limited.length === 0) return new Map();
  const left = await commands.load(creditAccount, String(workspaceId), ({ limits: { budgets } }) =>
    limited.flatMap(({ launchId }) => {
      const budget = budgets.get(launchId);
      return budget === undefined ? [] : [[launchId, toStored(budgetRest(budgets, budget))] as const];
    }),
  );
  return new Map(left);
}
