import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { list, listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, removeMember } from '#lists/domain/lists/list-members.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { CLOCK, COMMANDS } from '../../ports.js';
import { ofKind, type AboutList } from '../decide-list.js';
import { memberPath } from '../list-path.js';

export class RemoveMember extends Command<void> {
  constructor(
    readonly list: AboutList,
    readonly memberId: number,
  ) {
    super();
  }
}

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
export class RemoveMemberEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof memberPath>): Promise<void> {
    const { workspaceId, params: asked, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    return this.commands.execute(new RemoveMember(about, asked.member_id));
  }
}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ list: about, memberId }: RemoveMember): Promise<void> {
    const { workspaceId, kind, listId, context } = about;
    const decision = removeMember({ memberId, source: 'api', now: this.clock.now().toISOString() });
    await this.commands.handle(list, workspaceScoped(workspaceId, listId), ofKind(kind, decision), {
      context,
      answer: () => null,
    });
  }
}
