import { QueryBus } from '@nestjs/cqrs';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { GetList } from '../get-list.query.js';
import { listPath } from '../list-path.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id',
  summary: 'Get a list (older path)',
  params: listPath,
  response: DataOf(WatchlistView),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id'),
})
export class GetWatchlistEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<{ params: typeof listPath }>) {
    const { data } = await this.queries.execute(new GetList(request));
    return { data: watchlistView(data) };
  }
}
