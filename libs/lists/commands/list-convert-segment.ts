import { workspaceScoped } from '#kernel/commands/decider.js';
import { Id, Type } from '#kernel/values/schema.js';
import { list } from '#lists/domain/lists/list.js';
import { assignTier } from '#lists/domain/lists/list-operations.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { ListId } from './list-inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const listConvertSegment = operatorCommand({
  name: 'list.convert_segment',
  summary: 'Set the tier of a customer or prospect list to that of the segment that it was made from',
  input: Type.Object({
    workspace_id: WorkspaceId,
    list_id: ListId,
    tier: described('1, 2 or 3; 1 is the highest', Type.Integer({ minimum: 1, maximum: 3 })),
  }),
  output: Type.Object({ list_id: Id, tier: Type.Integer() }),
  async run(host, { workspace_id: workspaceId, list_id: listId, tier }, context) {
    await host.commands.handle(list, workspaceScoped(workspaceId, listId), assignTier(tier), { context });
    return { list_id: listId, tier };
  },
});
