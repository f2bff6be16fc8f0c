import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import {
  filterOfRuns,
  newestRunsFirst,
  runStages,
  runTriggers,
} from '#projections/signals/signal-runs/run-filter.js';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const RunRow = Type.Object({
  run_id: Id,
  /** The agent or setup that was launched. */
  agent_id: Id,
  stage: OneOf(...runStages),
  direction: OneOf('single', 'inbound', 'outbound'),
  trigger: OneOf(...runTriggers),
  lookback_days: Type.Integer(),
  found: Type.Integer(),
  dropped: Type.Integer(),
  credits_spent: Amount,
  created_at: Timestamp,
  completed_at: Nullable(Timestamp),
});

export const runList = operatorCommand({
  name: 'run.list',
  forFinance: true,
  summary: 'List the signal runs of a workspace, newest first',
  input: Type.Object({
    workspace_id: WorkspaceId,
    agent_id: Type.Optional(described('id of the agent or signal setup', Id)),
    stage: Type.Optional(described('runs at this stage alone', OneOf(...runStages))),
    trigger: Type.Optional(described('runs that were launched so', OneOf(...runTriggers))),
    ...pageInput,
  }),
  output: Type.Object({ ...PageAnswer, runs: Type.Array(RunRow) }),
  async run(
    { requireWorkspace, readModels },
    { workspace_id: workspaceId, agent_id, stage, trigger, ...asked },
  ) {
    await requireWorkspace(workspaceId);
    const wanted = {
      ...filterOfRuns(workspaceId, {
        sourceId: agent_id ?? null,
        stages: stage === undefined ? null : [stage],
        trigger: trigger ?? null,
      }),
      sort: newestRunsFirst,
    };
    const { rows, numbers } = await readPage(readModels, signalRuns, wanted, asked);
    return {
      ...numbers,
      runs: rows.map((run) => ({
        run_id: run.id,
        agent_id: run.sourceId,
        stage: run.stage,
        direction: run.direction,
        trigger: run.trigger,
        lookback_days: run.lookbackDays,
        found: run.matchesFound,
        dropped: run.matchesDropped,
        credits_spent: toJsonNumber(fromStored(run.creditsSpent)),
        created_at: run.createdAt,
        completed_at: run.completedAt,
      })),
    };
  },
});
