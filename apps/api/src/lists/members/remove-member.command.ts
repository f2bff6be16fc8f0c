import { workspaceScoped } from '#kernel/commands/decider.js';
import { list, listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, removeMember } from '#lists/domain/lists/list-members.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { handle } from '../../handle.js';
import { ofKind } from '../decide-list.js';
import { memberPath } from '../list-path.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/lists/:kind/:list_id/members/:member_id',
  summary: 'Remove a member from a list',
  description:
    'From a list that its CRM fills as well; the next sync may add the member again, with a new id.',
  status: 204,
  params: memberPath,
  problems: [listNotFound, memberNotFound],
})
export class RemoveMember extends EndpointCommand<void, { params: typeof memberPath }> {}

handle(RemoveMember, async ({ workspaceId, params, context }, { clock, commands }) => {
  const { kind, list_id: listId, member_id: memberId } = params;
  const decision = removeMember({ memberId, source: 'api', now: clock.now().toISOString() });
  await commands.handle(list, workspaceScoped(workspaceId, listId), ofKind(kind, decision), {
    context,
  });
});
