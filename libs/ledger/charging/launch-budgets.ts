import type { CommandContext, Looked } from '#kernel/commands/decider.js';
import type { Commands } from '#kernel/commands/commands.js';
import { toStored } from '#kernel/values/credits.js';
import { budgetRest, type LaunchBudget } from '#ledger/domain/budgets.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { endBudget } from '#ledger/domain/hold-credits.js';

/** By launch, the rest of its limit as stored text, of the launches whose limit the ledger still knows. */
export async function budgetRests(
  { load }: Pick<Commands, 'load'>,
  workspaceId: number,
  launchIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (launchIds.length === 0) return new Map();
  const left = await load(creditAccount, String(workspaceId), ({ limits: { budgets } }) =>
    launchIds.flatMap((launchId) => {
      const budget = budgets.get(launchId);
      return budget === undefined ? [] : [[launchId, toStored(budgetRest(budgets, budget))] as const];
    }),
  );
  return new Map(left);
}

/** The position of the ledger, and the rest of a launch's limit as stored text; null if it has none. */
export const lookAtBudget = (
  { look }: Pick<Commands, 'look'>,
  workspaceId: number,
  budget: LaunchBudget | null,
): Promise<Looked<string | null>> =>
  look(
    creditAccount,
    String(workspaceId),
    ({ limits }) => budget && toStored(budgetRest(limits.budgets, budget)),
  );

/** Ends the budget of a launch: nothing more is held under it. */
export async function endLaunchBudget(
  { handle }: Pick<Commands, 'handle'>,
  workspaceId: number,
  launchId: number,
  context: CommandContext,
): Promise<void> {
  const options = { context, waitForReadModels: false };
  await handle(creditAccount, String(workspaceId), endBudget(launchId), options);
}
