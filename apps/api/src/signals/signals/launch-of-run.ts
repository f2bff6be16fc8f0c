import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';

/** When the run of a filter was launched, from which the default window counts; null without a run of the workspace. */
export async function launchOfRun(
  readModels: ReadModels,
  workspaceId: number,
  runId: number | undefined,
): Promise<string | null> {
  if (runId === undefined) return null;
  const run = await readModels.get(signalRuns, signalRunKey(runId));
  return ownedBy(workspaceId, run)?.createdAt ?? null;
}
