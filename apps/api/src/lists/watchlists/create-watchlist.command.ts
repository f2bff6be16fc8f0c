import { CommandBus } from '@nestjs/cqrs';
import { MaxLength } from 'class-validator';
import { invalidList } from '#lists/domain/lists/list.js';
import { IsNotBlank } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CreateList } from '../create-list.command.js';
import { NewListBody } from '../list.body.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

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
  deprecated: replacedBy('/api/v2/lists'),
})
export class CreateWatchlistEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<{ body: CreateWatchlistBody }>) {
    const { title, ...rest } = request.body;
    const body = { ...rest, name: title };
    const { data } = await this.commands.execute(new CreateList({ ...request, body }));
    return { data: watchlistView(data) };
  }
}
