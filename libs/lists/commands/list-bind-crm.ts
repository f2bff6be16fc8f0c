import { workspaceScoped } from '#kernel/commands/decider.js';
import { Id, Type } from '#kernel/values/schema.js';
import { list } from '#lists/domain/lists/list.js';
import { bindCrm } from '#lists/domain/lists/list-operations.js';
import { described, visibleText, WorkspaceId } from '#ops/support/inputs.js';
import { ListId } from './list-inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const listBindCrm = operatorCommand({
  name: 'list.bind_crm',
  summary: 'Bind a list to a CRM: from then on the list refuses members that are added by hand',
  input: Type.Object({
    workspace_id: WorkspaceId,
    list_id: ListId,
    crm: described('name of the CRM, e.g. pipeline', visibleText(100)),
  }),
  output: Type.Object({ list_id: Id, crm: Type.String() }),
  async run(host, { workspace_id: workspaceId, list_id: listId, crm }, context) {
    const now = host.clock.now().toISOString();
    await host.commands.handle(list, workspaceScoped(workspaceId, listId), bindCrm({ crm, now }), {
      context,
    });
    return { list_id: listId, crm };
  },
});
