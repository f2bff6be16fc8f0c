import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { listNotFound, restoreList } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { COMMANDS, READ_MODELS } from '../ports.js';
import { decideList } from './decide-list.js';
import { listPath } from './list-path.js';
import { ListView, type ListAnswer } from './list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/lists/:kind/:list_id/restore',
  summary: 'Restore a deleted list',
  description:
    'Restores its members too; a list that was archived is archived again. A list that is not deleted does ' +
    'not change.',
  params: listPath,
  response: DataOf(ListView),
  problems: [listNotFound],
})
export class RestoreList extends EndpointCommand<DataOf<ListAnswer>, { params: typeof listPath }> {}

@CommandHandler(RestoreList)
export class RestoreListHandler implements ICommandHandler<RestoreList> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute({ request: { workspaceId, params, context } }: RestoreList): Promise<DataOf<ListAnswer>> {
    const { kind, list_id: listId } = params;
    const { commands, readModels } = this;
    const about = { workspaceId, kind, listId, context };
    return { data: await decideList({ commands, readModels }, about, restoreList()) };
  }
}
