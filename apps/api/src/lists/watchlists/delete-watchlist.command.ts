import { CommandBus } from '@nestjs/cqrs';
import { employeeListStays, listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DeleteList } from '../delete-list.command.js';
import { listPath } from '../list-path.js';
import { replacedBy } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/watchlists/:kind/:list_id',
  summary: 'Delete a list (older path)',
  status: 204,
  params: listPath,
  problems: [listNotFound, employeeListStays],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id'),
})
export class DeleteWatchlistEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle({
    workspaceId,
    params: asked,
    context,
  }: EndpointRequest<undefined, NoParameters, typeof listPath>): Promise<void> {
    return this.commands.execute(new DeleteList(workspaceId, asked.kind, asked.list_id, context));
  }
}
