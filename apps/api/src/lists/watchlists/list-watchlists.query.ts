import { QueryBus } from '@nestjs/cqrs';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
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

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof listsQuery>) {
    const { lists, total } = await this.queries.execute(
      new ListLists(workspaceId, asked.include_archived, asked.page),
    );
    return page(lists.map(watchlistView), total, asked.page);
  }
}
