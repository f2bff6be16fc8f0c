import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import { cancel, unknownSignalRun } from '#signals/domain/runs/cancel-run.js';
import { signalRun } from '#signals/domain/runs/signal-run.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

/**
 * Requests that a run of the workspace stops before its next batch; the worker of the run then ends it. Throws
 * `unknownSignalRun` and `runHasEnded`.
 */
export async function cancelRun(
  host: Pick<ProcessHost, 'commands' | 'readModels'>,
  workspaceId: number,
  asked: { readonly runId: number; readonly reason: string | null },
  context: CommandContext,
): Promise<void> {
  const prepare = async () => {
    // A run that waits for the other direction has no event yet; only its launch shows that it exists.
    const known = await host.readModels.get(signalRuns, signalRunKey(asked.runId));
    if (ownedBy(workspaceId, known) === null) throw unknownSignalRun();
    return cancel(asked);
  };
  const stream = workspaceScoped(workspaceId, asked.runId);
  await host.commands.handle(signalRun, stream, { prepare }, { context });
}
