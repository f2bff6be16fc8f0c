import { workspaceScoped } from '#kernel/commands/decider.js';
import { deleteList, employeeListStays, list, listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../handle.js';
import { ofKind } from './decide-list.js';
import { listPath } from './list-path.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/lists/:kind/:list_id',
  summary: 'Delete a list',
  description: 'No endpoint returns the list until it is restored with its members.',
  status: 204,
  params: listPath,
  problems: [listNotFound, employeeListStays],
})
export class DeleteList extends EndpointCommand<void, { params: typeof listPath }> {}

handle(DeleteList, async ({ workspaceId, params, context }, { clock, commands }) => {
  const { kind, list_id: listId } = params;
  const decision = deleteList({ now: clock.now().toISOString() });
  await commands.handle(list, workspaceScoped(workspaceId, listId), ofKind(kind, decision), {
    context,
  });
});
