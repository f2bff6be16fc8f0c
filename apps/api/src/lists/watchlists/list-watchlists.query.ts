import { QueryBus } from '@nestjs/cqrs';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { PageOf } from '#http/paging.js';
import { reply } from '#http/reply.js';
import { listsQuery } from '../list-path.js';
import { ListLists } from '../list-lists.query.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists',
  summary: 'List the lists (older path)',
  query: listsQuery,
  response: PageOf(WatchlistView),
  deprecated: replacedBy('/api/v2/lists'),
})
export class ListWatchlistsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<{ query: typeof listsQuery }>) {
    const { data, headers } = await this.queries.execute(new ListLists(request));
    return reply({ ...data, data: data.data.map(watchlistView) }, { headers });
  }
}
