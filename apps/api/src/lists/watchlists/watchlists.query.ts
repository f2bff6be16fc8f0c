import { QueryBus } from '@nestjs/cqrs';
import { listNotFound } from '#domain/lists/list.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf, page, PageOf } from '#http/paging.js';
import { booleanQuery, offsetPage } from '#http/parameters.js';
import { GetList } from '../get-list.query.js';
import { ListLists } from '../list-lists.query.js';
import { listPath } from '../list-path.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

/** The older path of the lists that can be read (OP-47): the same questions, other names. */

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

  async handle({ workspaceId, params: asked }: EndpointRequest<undefined, NoParameters, typeof listPath>) {
    const { data } = await this.queries.execute(new GetList(workspaceId, asked.kind, asked.list_id));
    return { data: watchlistView(data) };
  }
}
