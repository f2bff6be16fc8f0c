import { streamName, workspaceScoped } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { Amount } from '#kernel/values/amounts.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { described, RunId, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import {
  runBatches,
  type RunBatchDocument,
} from '#projections/signals/run-batches/run-batches.projection.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { shownCredits } from '#signals/answers/signal-run.view.js';
import { unknownSignalRun } from '#signals/domain/runs/cancel-run.js';
import { signalRun } from '#signals/domain/runs/signal-run.js';
import { budgetsLeft } from '#signals/launching/budgets-left.js';
import { launchedBy } from './launched-by.js';
import { RunRow, runRow } from './run-row.js';

const BATCHES_AT_ONCE = 100;

const BatchRow = Type.Object({
  batch: Type.Integer({ minimum: 1 }),
  matches: Type.Integer({ minimum: 0 }),
  dropped: Type.Integer({ minimum: 0 }),
  /** What cut its holds short: the balance, a cap, or the limit of the launch; null: nothing. */
  cut_by: Nullable(OneOf('balance', 'cap', 'budget')),
  /** Why a part could not be read; null: everything was read. */
  incomplete: Nullable(Type.String()),
  prepared_at: Timestamp,
  completed_at: Nullable(Timestamp),
});

export const runShow = operatorCommand({
  name: 'run.show',
  forFinance: true,
  summary: 'Show one signal run: its limit, its batches with dropped matches and the reason, and its end',
  input: Type.Object({
    workspace_id: WorkspaceId,
    run_id: RunId,
    after_batch: Type.Optional(
      described('show batches after this one; default: from the first', Type.Integer({ minimum: 0 })),
    ),
  }),
  output: Type.Composite([
    RunRow,
    Type.Object({
      launch_id: Id,
      kind: OneOf('agent', 'setup'),
      /** The rest of the launch's limit; null without a limit. */
      credits_left: Nullable(Amount),
      /** The stream of its events. */
      stream: Type.String(),
      /** The reason in the event that ended it, if there is one. */
      reason: Nullable(Type.String()),
      batches: Type.Array(BatchRow),
      /** The value for `after_batch` on the next page; null on the last page. */
      next_batch: Nullable(Type.Integer({ minimum: 1 })),
    }),
  ]),
  async run(host, { workspace_id: workspaceId, run_id: runId, after_batch: after = 0 }) {
    const { readModels, commands, eventStore, requireWorkspace } = host;
    await requireWorkspace(workspaceId);
    const run = ownedBy(workspaceId, await readModels.get(signalRuns, signalRunKey(runId)));
    if (run === null) throw unknownSignalRun();
    const stream = streamName(signalRun, workspaceScoped(workspaceId, runId));
    const [launched, left, found, reason] = await Promise.all([
      launchedBy(readModels, workspaceId, [run.sourceId]),
      budgetsLeft(commands, workspaceId, [run]),
      readModels.find(runBatches, {
        where: { workspaceId, runId, batch: { gt: after } },
        sort: [['batch', 'asc']],
        limit: BATCHES_AT_ONCE + 1,
      }),
      run.completedAt === null ? null : reasonOfEnd(eventStore, stream),
    ]);
    const batches = found.slice(0, BATCHES_AT_ONCE);
    return {
      ...runRow(run, launched(run.sourceId)),
      launch_id: run.launchId,
      kind: launched(run.sourceId)?.kind ?? 'agent',
      credits_left: shownCredits(left.get(run.launchId) ?? run.creditsLeft),
      stream,
      reason,
      batches: batches.map(batchRow),
      next_batch: found.length > BATCHES_AT_ONCE ? (batches.at(-1)?.batch ?? null) : null,
    };
  },
});

const batchRow = (batch: RunBatchDocument) => ({
  batch: batch.batch,
  matches: batch.candidates,
  dropped: batch.dropped,
  cut_by: batch.cutBy,
  incomplete: batch.incomplete,
  prepared_at: batch.preparedAt,
  completed_at: batch.completedAt,
});

/** The end of a run is its last event. */
async function reasonOfEnd(eventStore: EventStore, stream: string): Promise<string | null> {
  for await (const [last] of eventStore.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
    const reason = last?.data['reason'];
    return typeof reason === 'string' ? reason : null;
  }
  return null;
}
