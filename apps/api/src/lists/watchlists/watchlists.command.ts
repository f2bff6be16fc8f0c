import { CommandBus } from '@nestjs/cqrs';
import { ArrayMaxSize, IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { ListType } from '#domain/lists/list.events.js';
import { employeeListStays, invalidList, listNotFound } from '#domain/lists/list.js';
import type { TrackingStatus } from '#domain/lists/member.events.js';
import { DefaultsTo, IsId, IsNotBlank, IsNullable } from '#http/body.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { ChangeList, requireChange } from '../change-list.command.js';
import { CREATABLE_TYPES, CreateList, DEFAULT_TRACKING_STATUS } from '../create-list.command.js';
import { DeleteList } from '../delete-list.command.js';
import { MAX_PERSONAS } from '../active-personas.js';
import { listPath } from '../list-path.js';
import { RestoreList } from '../restore-list.command.js';
import { replacedBy, WatchlistView, watchlistView } from './watchlist.view.js';

/** The older path of the lists that can be written (OP-47): the same commands, `title` for the name, no tier. */

export class CreateWatchlistBody {
  @IsIn(CREATABLE_TYPES)
  type: Exclude<ListType, 'employee'>;

  @IsNotBlank()
  @MaxLength(255)
  title: string;

  @IsOptional()
  @IsNullable()
  @IsString()
  @MaxLength(2000)
  description?: string | null;

  @IsOptional()
  @DefaultsTo(DEFAULT_TRACKING_STATUS)
  @IsIn(['followed', 'unfollowed'])
  default_tracking_status?: TrackingStatus;

  @IsOptional()
  @IsNullable()
  @ArrayMaxSize(MAX_PERSONAS)
  @IsId({ each: true })
  persona_ids?: number[] | null;
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

  async handle({ workspaceId, body, context }: EndpointRequest<CreateWatchlistBody>) {
    const { title, ...rest } = body;
    const { data } = await this.commands.execute(
      new CreateList(workspaceId, { ...rest, name: title }, context),
    );
    return { data: watchlistView(data) };
  }
}

export class ChangeWatchlistBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(255)
  title?: string;

  @IsOptional()
  @IsNullable()
  @IsString()
  @MaxLength(2000)
  description?: string | null;

  @IsOptional()
  @IsIn(['followed', 'unfollowed'])
  default_tracking_status?: TrackingStatus;

  @IsOptional()
  @IsBoolean()
  archived?: boolean;

  @IsOptional()
  @IsNullable()
  @ArrayMaxSize(MAX_PERSONAS)
  @IsId({ each: true })
  persona_ids?: number[] | null;
}

type AboutWatchlist<Body = undefined> = EndpointRequest<Body, NoParameters, typeof listPath>;

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

  async handle({ workspaceId, params: asked, body, context }: AboutWatchlist<ChangeWatchlistBody>) {
    requireChange(body, 'title');
    const { title, ...rest } = body;
    const change = { ...rest, ...(title === undefined ? {} : { name: title }) };
    const { data } = await this.commands.execute(
      new ChangeList(workspaceId, asked.kind, asked.list_id, change, context),
    );
    return { data: watchlistView(data) };
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/watchlists/:kind/:list_id',
  summary: 'Delete a list (older path)',
  status: 204,
  params: listPath,
  problems: [listNotFound, employeeListStays],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id'),
})
export class DeleteWatchlistEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle({ workspaceId, params: asked, context }: AboutWatchlist): Promise<void> {
    return this.commands.execute(new DeleteList(workspaceId, asked.kind, asked.list_id, context));
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/watchlists/:kind/:list_id/restore',
  summary: 'Restore a deleted list (older path)',
  params: listPath,
  response: DataOf(WatchlistView),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/restore'),
})
export class RestoreWatchlistEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle({ workspaceId, params: asked, context }: AboutWatchlist) {
    const { data } = await this.commands.execute(
      new RestoreList(workspaceId, asked.kind, asked.list_id, context),
    );
    return { data: watchlistView(data) };
  }
}
