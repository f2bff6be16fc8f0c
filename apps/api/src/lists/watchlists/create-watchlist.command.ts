import { MaxLength } from 'class-validator';
import { invalidList } from '#lists/domain/lists/list.js';
import { IsNotBlank } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { listCreated } from '../create-list.command.js';
import { NewListBody } from '../list.body.js';
import { WatchlistView, watchlistView, type WatchlistAnswer } from './watchlist.view.js';

/** The older path knows no tier (OP-47). */
export class CreateWatchlistBody extends NewListBody {
  @IsNotBlank()
  @MaxLength(255)
  title: string;
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/watchlists',
  summary: 'Create a list (older path)',
  status: 201,
  body: CreateWatchlistBody,
  response: DataOf(WatchlistView),
  problems: [invalidList],
  deprecated: { successor: '/api/v2/lists' },
})
export class CreateWatchlist extends EndpointCommand<
  DataOf<WatchlistAnswer>,
  { body: CreateWatchlistBody }
> {}

handle(CreateWatchlist, async (request, ports) => {
  const { title, ...rest } = request.body;
  const { data } = await listCreated({ ...request, body: { ...rest, name: title } }, ports);
  return { data: watchlistView(data) };
});
