import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { getList } from '../get-list.query.js';
import { listPath } from '../list-path.js';
import { WatchlistView, watchlistView, type WatchlistAnswer } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id',
  summary: 'Get a list (older path)',
  params: listPath,
  response: DataOf(WatchlistView),
  problems: [listNotFound],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id' },
})
export class GetWatchlist extends EndpointQuery<DataOf<WatchlistAnswer>, { params: typeof listPath }> {}

handle(GetWatchlist, async (request, ports) => {
  const { data } = await getList(request, ports);
  return { data: watchlistView(data) };
});
