import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ListKind } from '#lists/domain/lists/list.events.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { READ_MODELS } from '../../ports.js';
import { findList } from '../../lists/find-list.js';
import { listPathV3 } from '../../lists/list-path.js';
import { MonitoredListView, monitoredListViews, type MonitoredListAnswer } from './monitored-list.view.js';

type Found = { readonly data: MonitoredListAnswer };

export class GetMonitoredList extends Query<Found> {
  constructor(
    readonly workspaceId: number,
    readonly kind: ListKind,
    readonly listId: number,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists/:kind/:list_id',
  summary: 'Get a list with its monitoring',
  description:
    'As in v2, with the bucket in which its members are monitored and how many of them the list wants who are covered.',
  params: listPathV3,
  response: DataOf(MonitoredListView),
  problems: [listNotFound],
})
export class GetMonitoredListEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof listPathV3>): Promise<Found> {
    const { workspaceId, params: asked } = request;
    return this.queries.execute(new GetMonitoredList(workspaceId, asked.kind, asked.list_id));
  }
}

@QueryHandler(GetMonitoredList)
export class GetMonitoredListHandler implements IQueryHandler<GetMonitoredList> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, kind, listId }: GetMonitoredList): Promise<Found> {
    const list = await findList(this.readModels, workspaceId, kind, listId);
    const [data] = await monitoredListViews(this.readModels, workspaceId, [list]);
    if (data === undefined) throw listNotFound();
    return { data };
  }
}
