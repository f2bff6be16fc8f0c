import { CommandBus } from '@nestjs/cqrs';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { listPath } from '../list-path.js';
import { RestoreList } from '../restore-list.command.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/watchlists/:kind/:list_id/restore',
  summary: 'Restore a deleted list (older path)',
  params: listPath,
  response: DataOf(WatchlistView),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/restore'),
})
export class RestoreWatchlistEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<{ params: typeof listPath }>) {
    const { data } = await this.commands.execute(new RestoreList(request));
    return { data: watchlistView(data) };
  }
}
