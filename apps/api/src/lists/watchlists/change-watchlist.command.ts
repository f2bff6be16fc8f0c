import { CommandBus } from '@nestjs/cqrs';
import { IsOptional, MaxLength } from 'class-validator';
import { invalidList, listNotFound } from '#lists/domain/lists/list.js';
import { IsNotBlank, NeedsSomeField } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { ChangeList } from '../change-list.command.js';
import { ListChangeBody, somethingOf } from '../list.body.js';
import { listPath } from '../list-path.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

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
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id'),
})
export class ChangeWatchlistEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<{ body: ChangeWatchlistBody; params: typeof listPath }>) {
    const { title, ...rest } = request.body;
    const body = { ...rest, ...(title === undefined ? {} : { name: title }) };
    const { data } = await this.commands.execute(new ChangeList({ ...request, body }));
    return { data: watchlistView(data) };
  }
}
