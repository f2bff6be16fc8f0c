import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { listPath } from '../list-path.js';
import { listRestored } from '../restore-list.command.js';
import { WatchlistView, watchlistView, type WatchlistAnswer } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/watchlists/:kind/:list_id/restore',
  summary: 'Restore a deleted list (older path)',
  params: listPath,
  response: DataOf(WatchlistView),
  problems: [listNotFound],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id/restore' },
})
export class RestoreWatchlist extends EndpointCommand<DataOf<WatchlistAnswer>, { params: typeof listPath }> {}

handle(RestoreWatchlist, async (request, ports) => {
  const { data } = await listRestored(request, ports);
  return { data: watchlistView(data) };
});
