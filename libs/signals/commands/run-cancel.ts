import { Id, OneOf, Type } from '#kernel/values/schema.js';
import { cancelRun } from '#signals/launching/cancel-run.js';
import { described, Reason, RunId, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const runCancel = operatorCommand({
  name: 'run.cancel',
  summary: 'Stop a signal run before its next batch: its paid signals are kept, its open holds are released',
  input: Type.Object({
    workspace_id: WorkspaceId,
    run_id: RunId,
    reason: Type.Optional(described('reason; stored in the event', Reason)),
  }),
  output: Type.Object({ run_id: Id, stage: OneOf('running') }),
  async run(host, { workspace_id, run_id, reason }, context) {
    await cancelRun(host, workspace_id, { runId: run_id, reason: reason ?? null }, context);
    return { run_id, stage: 'running' };
  },
});
