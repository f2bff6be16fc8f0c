import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { deleteList, employeeListStays, list, listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { CLOCK, COMMANDS } from '../ports.js';
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

@CommandHandler(DeleteList)
export class DeleteListHandler implements ICommandHandler<DeleteList> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ request: { workspaceId, params, context } }: DeleteList): Promise<void> {
    const { kind, list_id: listId } = params;
    const decision = deleteList({ now: this.clock.now().toISOString() });
    await this.commands.handle(list, workspaceScoped(workspaceId, listId), ofKind(kind, decision), {
      context,
      answer: () => null,
    });
  }
}
