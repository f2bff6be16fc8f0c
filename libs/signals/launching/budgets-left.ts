import type { Commands } from '#kernel/commands/commands.js';
import { budgetRests } from '#ledger/charging/launch-budgets.js';
import type { SignalRunDocument } from '#projections/signals/signal-runs/signal-runs.projection.js';

/**
 * By launch, the rest of the limits of these runs' launches, as stored text, if the ledger still knows the launch.
 */
export const budgetsLeft = (
  commands: Commands,
  workspaceId: number,
  runs: readonly SignalRunDocument[],
): Promise<ReadonlyMap<number, string>> => {
  const limited = runs.filter(({ maxCredits }) => maxCredits !== null);
  return budgetRests(
    commands,
    workspaceId,
    limited.map(({ launchId }) => launchId),
  );
};
