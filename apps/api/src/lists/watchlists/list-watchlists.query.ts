import { QueryBus } from '@nestjs/cqrs';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { booleanQuery, offsetPage } from '#http/parameters.js';
import { ListLists } from '../list-lists.query.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

const query = { include_archived: booleanQuery(400), page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists',
  summary: 'List the lists (older path)',
  query,
  response: PageOf(WatchlistView),
  deprecated: replacedBy('/api/v2/lists'),
})
export class ListWatchlistsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof query>) {
    const { lists, total } = await this.queries.execute(
      new ListLists(workspaceId, asked.include_archived, asked.page),
    );
    return page(lists.map(watchlistView), total, asked.page);
  }
}
