import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { READ_MODELS } from '../../ports.js';
import { findLists, listsQuery } from '../../lists/list-path.js';
import { MonitoredListView, monitoredListViews, type MonitoredListAnswer } from './monitored-list.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists',
  summary: 'List the lists with their monitoring',
  description: 'Archived lists only on request.',
  query: listsQuery,
  response: PageOf(MonitoredListView),
})
export class ListMonitoredLists extends EndpointQuery<
  PageOf<MonitoredListAnswer>,
  { query: typeof listsQuery }
> {}

@QueryHandler(ListMonitoredLists)
export class ListMonitoredListsHandler implements IQueryHandler<ListMonitoredLists> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ request: { workspaceId, query: asked } }: ListMonitoredLists) {
    const { rows, total } = await findLists(this.readModels, workspaceId, asked);
    return page(await monitoredListViews(this.readModels, workspaceId, rows), total, asked.page);
  }
}
