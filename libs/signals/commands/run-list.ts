import { Id, OneOf, Type } from '#kernel/values/schema.js';
import { filterOfRuns, newestRunsFirst, runStages } from '#projections/signals/signal-runs/run-filter.js';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { launchedBy } from './launched-by.js';
import { RunRow, runRow } from './run-row.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';
import { RUN_TRIGGERS } from '#signals/domain/launches/launch.events.js';

export const runList = operatorCommand({
  name: 'run.list',
  forFinance: true,
  summary: 'List the signal runs of a workspace, newest first',
  input: Type.Object({
    workspace_id: WorkspaceId,
    agent_id: Type.Optional(described('id of the agent or signal setup', Id)),
    stage: Type.Optional(described('only runs at this stage', OneOf(...runStages))),
    trigger: Type.Optional(described('only runs with this trigger', OneOf(...RUN_TRIGGERS))),
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
    const launched = await launchedBy(
      readModels,
      workspaceId,
      rows.map(({ sourceId }) => sourceId),
    );
    return { ...numbers, runs: rows.map((run) => runRow(run, launched(run.sourceId))) };
  },
});
