import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { READ_MODELS } from '../../ports.js';
import { findList, listPathProblems, listPathV3 } from '../../lists/list-path.js';
import { MonitoredListView, monitoredListOf, type MonitoredListAnswer } from './monitored-list.view.js';

type Found = { readonly data: MonitoredListAnswer };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists/:kind/:list_id',
  summary: 'Get a list with its monitoring',
  description:
    'As in v2, with the bucket in which its members are monitored and the number of covered members that ' +
    'this list monitors.',
  params: listPathV3,
  response: DataOf(MonitoredListView),
  problems: listPathProblems,
})
export class GetMonitoredList extends EndpointQuery<Found, { params: typeof listPathV3 }> {}

@QueryHandler(GetMonitoredList)
export class GetMonitoredListHandler implements IQueryHandler<GetMonitoredList> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ request: { workspaceId, params } }: GetMonitoredList): Promise<Found> {
    const { kind, list_id: listId } = params;
    const list = await findList(this.readModels, workspaceId, kind, listId);
    return { data: await monitoredListOf(this.readModels, workspaceId, list) };
  }
}
