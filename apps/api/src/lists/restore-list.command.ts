import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ListKind } from '#lists/domain/lists/list.events.js';
import { listNotFound, restoreList } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { COMMANDS, READ_MODELS } from '../ports.js';
import { decideList } from './decide-list.js';
import { listPath } from './list-path.js';
import { ListView, type ListAnswer } from './list.view.js';

type Restored = { readonly data: ListAnswer };

export class RestoreList extends Command<Restored> {
  constructor(
    readonly workspaceId: number,
    readonly kind: ListKind,
    readonly listId: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/lists/:kind/:list_id/restore',
  summary: 'Restore a deleted list',
  description: 'With its members, and archived if it was. A list that is not deleted stays as it is.',
  params: listPath,
  response: DataOf(ListView),
  problems: [listNotFound],
})
export class RestoreListEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof listPath>): Promise<Restored> {
    const { workspaceId, params: asked, context } = request;
    return this.commands.execute(new RestoreList(workspaceId, asked.kind, asked.list_id, context));
  }
}

@CommandHandler(RestoreList)
export class RestoreListHandler implements ICommandHandler<RestoreList> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute({ workspaceId, kind, listId, context }: RestoreList): Promise<Restored> {
    const { commands, readModels } = this;
    const about = { workspaceId, kind, listId, context };
    return { data: await decideList({ commands, readModels }, about, restoreList()) };
  }
}
