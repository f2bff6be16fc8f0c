import { Id, Type } from '#kernel/values/schema.js';
import { block, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const input = Type.Object({
  workspace_id: WorkspaceId,
  reason: described('reason; stored in the event', Type.String({ minLength: 1, maxLength: 1_000 })),
});
const output = Type.Object({ workspace_id: Id, blocked: Type.Boolean() });

export const workspaceBlock = operatorCommand({
  name: 'workspace.block',
  summary: 'Block a workspace: it can launch no runs',
  input,
  output,
  async run(host, { workspace_id, reason }, context) {
    const options = { context, answer: () => null };
    await host.commands.handle(workspace, String(workspace_id), block(reason), options);
    return { workspace_id, blocked: true };
  },
});

export const workspaceUnblock = operatorCommand({
  name: 'workspace.unblock',
  summary: 'Unblock a workspace',
  input,
  output,
  async run(host, { workspace_id, reason }, context) {
    const options = { context, answer: () => null };
    await host.commands.handle(workspace, String(workspace_id), unblock(reason), options);
    return { workspace_id, blocked: false };
  },
});
