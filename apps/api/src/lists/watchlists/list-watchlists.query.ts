import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { PageOf } from '#http/paging.js';
import { reply } from '#http/reply.js';
import { handle } from '../../handle.js';
import { listsQuery } from '../list-path.js';
import { listLists } from '../list-lists.query.js';
import { WatchlistView, watchlistView, type WatchlistAnswer } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists',
  summary: 'List the lists (older path)',
  query: listsQuery,
  response: PageOf(WatchlistView),
  deprecated: { successor: '/api/v2/lists' },
})
export class ListWatchlists extends EndpointQuery<PageOf<WatchlistAnswer>, { query: typeof listsQuery }> {}

handle(ListWatchlists, async (request, ports) => {
  const { data, headers } = await listLists(request, ports);
  return reply({ ...data, data: data.data.map(watchlistView) }, { headers });
});
