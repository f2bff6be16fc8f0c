import { fromStored } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { fail, signalRun } from '#signals/domain/runs/signal-run.js';
import { signalRunWork } from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import type { ExpiredHolds, HoldOwner, OwnerHost } from '#ledger/charging/hold-owner.js';

const RUNS_AT_ONCE = 1_000;

/** A run of a signal launch. */
export const signalRunOwner: HoldOwner = {
  kind: 'signal',
  workOf: ({ runId }) => String(runId),
  models: [signalRunWork.name],

  async fence(host, expired, context) {
    // All charges of a launch have one price.
    const unitPrice = fromStored(expired.holds[0]?.credits ?? '0');
    for (const runId of await runsThatShare(host, expired)) {
      const stream = workspaceScoped(expired.workspaceId, runId);
      // If the other direction has not begun, it has recorded nothing and may still run.
      if (await host.commands.load(signalRun, stream, ({ stage }) => stage === 'new')) continue;
      await host.commands.handle(signalRun, stream, fail(unitPrice, 'a hold got no end for 24 hours'), {
        context: context(`fence:${runId}`),
        waitForReadModels: false,
      });
    }
  },

  async recorded(host, expired) {
    const recorded = new Set<number>();
    for (const runId of await runsThatShare(host, expired)) {
      const stream = workspaceScoped(expired.workspaceId, runId);
      const ofRun = await host.commands.load(signalRun, stream, (run) => run.unsettledMovements);
      for (const movementId of ofRun) recorded.add(movementId);
    }
    return recorded;
  },
};

/** The run that made the holds, and the other direction of the same launch, which shares its charge keys. */
async function runsThatShare(
  { readModels }: OwnerHost,
  { workspaceId, holds }: ExpiredHolds,
): Promise<readonly number[]> {
  const underWay = await readModels.find(signalRunWork, {
    where: { workspaceId },
    limit: RUNS_AT_ONCE,
  });
  const launches = new Set(holds.map(({ launchId }) => launchId));
  const siblings = underWay
    .filter(({ launchId }) => launches.has(launchId))
    .flatMap(({ launch }) => launch.runs.map(({ runId }) => runId));
  const owners = holds.flatMap(({ runId }) => runId ?? []);
  return [...new Set([...owners, ...siblings])];
}
