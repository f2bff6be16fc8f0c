import { IsOptional, MaxLength } from 'class-validator';
import { invalidList, listNotFound } from '#lists/domain/lists/list.js';
import { IsNotBlank, NeedsSomeField } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { listChanged } from '../change-list.command.js';
import { ListChangeBody, somethingOf } from '../list.body.js';
import { listPath } from '../list-path.js';
import { WatchlistView, watchlistView, type WatchlistAnswer } from './watchlist.view.js';

@NeedsSomeField(somethingOf('title'))
export class ChangeWatchlistBody extends ListChangeBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(255)
  title?: string;
}

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v2/watchlists/:kind/:list_id',
  summary: 'Change a list (older path)',
  params: listPath,
  body: ChangeWatchlistBody,
  response: DataOf(WatchlistView),
  problems: [listNotFound, invalidList],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id' },
})
export class ChangeWatchlist extends EndpointCommand<
  DataOf<WatchlistAnswer>,
  { body: ChangeWatchlistBody; params: typeof listPath }
> {}

handle(ChangeWatchlist, async (request, ports) => {
  const { title, ...rest } = request.body;
  const body = { ...rest, ...(title === undefined ? {} : { name: title }) };
  const { data } = await listChanged({ ...request, body }, ports);
  return { data: watchlistView(data) };
});
