import { Id, Type } from '#kernel/values/schema.js';
import { block, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import { described, Reason, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const blocking = (name: string, summary: string, decision: typeof block, blocked: boolean) =>
  operatorCommand({
    name,
    summary,
    input: Type.Object({
      workspace_id: WorkspaceId,
      reason: described('reason; stored in the event', Reason),
    }),
    output: Type.Object({ workspace_id: Id, blocked: Type.Boolean() }),
    async run(host, { workspace_id, reason }, context) {
      await host.commands.handle(workspace, String(workspace_id), decision(reason), { context });
      return { workspace_id, blocked };
    },
  });

export const workspaceBlock = blocking(
  'workspace.block',
  'Block a workspace: it can launch no runs',
  block,
  true,
);
export const workspaceUnblock = blocking('workspace.unblock', 'Unblock a workspace', unblock, false);
