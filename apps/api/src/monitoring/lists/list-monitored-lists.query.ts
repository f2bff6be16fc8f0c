import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { READ_MODELS } from '../../ports.js';
import { findLists, listsQuery } from '../../lists/list-path.js';
import { MonitoredListView, monitoredListViews, type MonitoredListAnswer } from './monitored-list.view.js';

type FoundLists = { readonly lists: readonly MonitoredListAnswer[]; readonly total: number };

export class ListMonitoredLists extends Query<FoundLists> {
  constructor(
    readonly workspaceId: number,
    readonly includeArchived: boolean,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/lists',
  summary: 'List the lists with their monitoring',
  description: 'Archived ones only when they are asked for.',
  query: listsQuery,
  response: PageOf(MonitoredListView),
})
export class ListMonitoredListsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle({ workspaceId, query: asked }: EndpointRequest<undefined, typeof listsQuery>) {
    const { lists: found, total } = await this.queries.execute(
      new ListMonitoredLists(workspaceId, asked.include_archived, asked.page),
    );
    return page(found, total, asked.page);
  }
}

@QueryHandler(ListMonitoredLists)
export class ListMonitoredListsHandler implements IQueryHandler<ListMonitoredLists> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, includeArchived, page: asked }: ListMonitoredLists): Promise<FoundLists> {
    const { found, total } = await findLists(this.readModels, workspaceId, includeArchived, asked);
    return { lists: await monitoredListViews(this.readModels, workspaceId, found), total };
  }
}
