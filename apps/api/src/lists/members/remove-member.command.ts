import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { list, listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, removeMember } from '#lists/domain/lists/list-members.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { CLOCK, COMMANDS } from '../../ports.js';
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

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ request: { workspaceId, params, context } }: RemoveMember): Promise<void> {
    const { kind, list_id: listId, member_id: memberId } = params;
    const decision = removeMember({ memberId, source: 'api', now: this.clock.now().toISOString() });
    await this.commands.handle(list, workspaceScoped(workspaceId, listId), ofKind(kind, decision), {
      context,
      answer: () => null,
    });
  }
}
